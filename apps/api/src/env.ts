import { type DomainSeconds, defaultSeconds } from '@svc/domain/domain'
import { variable } from '@svc/process/env'
import { z } from 'zod'

/** What an API process reads from its environment. */
export const ApiEnvironment = z.object({
  DATABASE_URL: variable('DATABASE_URL'),
  SVC_DATABASE_DIRECT_URL: variable('SVC_DATABASE_DIRECT_URL').optional(),
  SVC_HOST: variable('SVC_HOST').default('127.0.0.1'),
  SVC_PORT: variable('SVC_PORT').default(4600),
  SVC_SECRET_KEYS: variable('SVC_SECRET_KEYS'),
  SVC_POOL_SIZE: variable('SVC_POOL_SIZE').default(10),
  SVC_NOTIFY: variable('SVC_NOTIFY').default(true),
  SVC_DRAIN_SECONDS: variable('SVC_DRAIN_SECONDS').default(5),
  SVC_LEASE_SECONDS: variable('SVC_LEASE_SECONDS').default(defaultSeconds.lease),
  SVC_HEARTBEAT_SECONDS: variable('SVC_HEARTBEAT_SECONDS').default(defaultSeconds.heartbeat),
  SVC_ATTACH_SECONDS: variable('SVC_ATTACH_SECONDS').default(defaultSeconds.attach),
  SVC_SWEEP_SECONDS: variable('SVC_SWEEP_SECONDS').default(defaultSeconds.sweep),
  SVC_STALE_SECONDS: variable('SVC_STALE_SECONDS').default(defaultSeconds.stale),
  SVC_LOST_SECONDS: variable('SVC_LOST_SECONDS').default(defaultSeconds.lost),
  SVC_WEBHOOK_ALLOWED_HOSTS: variable('SVC_WEBHOOK_ALLOWED_HOSTS').default([]),
})
export type ApiEnvironment = z.infer<typeof ApiEnvironment>

export function domainSeconds(environment: ApiEnvironment): DomainSeconds {
  return {
    lease: environment.SVC_LEASE_SECONDS,
    heartbeat: environment.SVC_HEARTBEAT_SECONDS,
    attach: environment.SVC_ATTACH_SECONDS,
    sweep: environment.SVC_SWEEP_SECONDS,
    stale: environment.SVC_STALE_SECONDS,
    lost: environment.SVC_LOST_SECONDS,
  }
}
