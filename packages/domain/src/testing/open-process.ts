import { type Domain, type DomainConfig, openDomain } from '../domain.ts'
import { sealCanary } from '../ready.ts'
import { defaultSeconds } from '../seconds.ts'

/** Of every process of the service in a test, unless it is about their keys. */
export const secretKeys = `test:${Buffer.alloc(32, 7).toString('base64')}`

const log = {
  warn: () => undefined,
  // what the service calls an error fails the test in which it happens
  error: (details: object, message: string) => {
    throw new Error(`${message}: ${JSON.stringify(details)}`, { cause: details })
  },
}

/** What a process of the service acts through; whoever opens it closes it. */
export function openProcess(
  databaseUrl: string,
  changes: Partial<DomainConfig> = {},
): Promise<Domain> {
  return openDomain({
    databaseUrl,
    poolSize: 12,
    secretKeys,
    notify: true,
    seconds: defaultSeconds,
    log,
    ...changes,
  })
}

/** As the migration of a deployment does once, so that a process with other keys is not ready. */
export async function sealKeys({ db, keys }: Domain): Promise<void> {
  await db
    .insertInto('key_canary')
    .values({ sealed: sealCanary(keys) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
