import { openProcess } from '@svc/domain/testing/open-process'

/** The domain on the database of a service that runs: for what its operator alone can do, or see. */
export function openDomainOf(databaseUrl: string, secretKeys: string) {
  // a test may break what it stands on, which is no error of its own
  const log = { warn: () => undefined, error: () => undefined }
  return openProcess(databaseUrl, { poolSize: 2, secretKeys, notify: false, log })
}
