import { type Domain, type DomainConfig, openDomain } from '@svc/domain/domain'
import { variable } from '@svc/process/env'
import { z } from 'zod'
import { defaultSeconds } from '@svc/domain/seconds'

/** What opening the domain takes from the environment: the part that every app of the service reads. */
export const DomainEnvironment = z.object({
  DATABASE_URL: variable('DATABASE_URL'),
  SVC_DATABASE_DIRECT_URL: variable('SVC_DATABASE_DIRECT_URL').optional(),
  SVC_SECRET_KEYS: variable('SVC_SECRET_KEYS'),
  SVC_POOL_SIZE: variable('SVC_POOL_SIZE'),
  SVC_NOTIFY: variable('SVC_NOTIFY'),
  SVC_PREPARED_STATEMENTS: variable('SVC_PREPARED_STATEMENTS'),
  SVC_COMPOSER_URL: variable('SVC_COMPOSER_URL').optional(),
})
export type DomainEnvironment = z.infer<typeof DomainEnvironment>

/** Leases and sweeps are for those who read them to give; nobody else comes to use the defaults. */
type Rest = Pick<
  DomainConfig,
  | 'log'
  | 'outbound'
  | 'superviseSeconds'
  | 'passwordLogin'
  | 'newWorkspaces'
  | 'logBytes'
  | 'logQuotaBytes'
  | 'auditDays'
  | 'issuers'
  | 'heedLaunchSettings'
> &
  Partial<Pick<DomainConfig, 'seconds'>>

export function openDomainOf(environment: DomainEnvironment, rest: Rest): Promise<Domain> {
  const directUrl = environment.SVC_DATABASE_DIRECT_URL
  return openDomain({
    databaseUrl: environment.DATABASE_URL,
    ...(directUrl !== undefined && { directUrl }),
    poolSize: environment.SVC_POOL_SIZE,
    secretKeys: environment.SVC_SECRET_KEYS,
    notify: environment.SVC_NOTIFY,
    prepare: environment.SVC_PREPARED_STATEMENTS,
    composes: environment.SVC_COMPOSER_URL !== undefined,
    seconds: defaultSeconds,
    ...rest,
  })
}
