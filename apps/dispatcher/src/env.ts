import { variable } from '@svc/process/env'
import { z } from 'zod'

/** What a dispatcher process reads from its environment. */
export const DispatcherEnvironment = z.object({
  DATABASE_URL: variable('DATABASE_URL'),
  SVC_DATABASE_DIRECT_URL: variable('SVC_DATABASE_DIRECT_URL').optional(),
  SVC_HOST: variable('SVC_HOST').default('127.0.0.1'),
  SVC_PORT: variable('SVC_PORT').default(4602),
  SVC_SECRET_KEYS: variable('SVC_SECRET_KEYS'),
  SVC_POOL_SIZE: variable('SVC_POOL_SIZE').default(10),
  SVC_NOTIFY: variable('SVC_NOTIFY').default(true),
  SVC_WEBHOOK_ALLOWED_HOSTS: variable('SVC_WEBHOOK_ALLOWED_HOSTS').default([]),
})
export type DispatcherEnvironment = z.infer<typeof DispatcherEnvironment>
