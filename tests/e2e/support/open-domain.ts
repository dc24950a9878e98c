import { openDomain } from '@svc/domain/domain'
import { defaultSeconds } from '@svc/domain/seconds'

/** The domain on the database of a service that runs: for what its operator alone can do, or see. */
export function openDomainOf(databaseUrl: string, secretKeys: string) {
  return openDomain({
    databaseUrl,
    poolSize: 2,
    secretKeys,
    notify: false,
    seconds: defaultSeconds,
    log: { warn: () => undefined, error: () => undefined },
  })
}
