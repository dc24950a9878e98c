import { variable } from '@svc/process/env'
import { ComposerEnvironment } from '@svc/service/composer'
import { DomainEnvironment } from '@svc/service/domain'
import { z } from 'zod'

/** What a dispatcher process reads from its environment. */
export const DispatcherEnvironment = z.object({
  ...DomainEnvironment.shape,
  ...ComposerEnvironment.shape,
  SVC_HOST: variable('SVC_HOST'),
  SVC_PORT: variable('SVC_PORT', 'dispatcher'),
  SVC_METRICS_PORT: variable('SVC_METRICS_PORT').optional(),
  SVC_TRACES_URL: variable('SVC_TRACES_URL').optional(),
  SVC_WEBHOOK_ALLOWED_HOSTS: variable('SVC_WEBHOOK_ALLOWED_HOSTS'),
})
export type DispatcherEnvironment = z.infer<typeof DispatcherEnvironment>
