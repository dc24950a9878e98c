import { variable } from '@svc/process/env'
import { DomainEnvironment } from '@svc/service/domain'
import { LimitsEnvironment } from '@svc/service/limits'
import { SecondsEnvironment } from '@svc/service/seconds'
import { z } from 'zod'

/** What an API process reads from its environment. */
export const ApiEnvironment = z.object({
  ...DomainEnvironment.shape,
  ...SecondsEnvironment.shape,
  ...LimitsEnvironment.shape,
  SVC_BASE_URL: variable('SVC_BASE_URL').optional(),
  SVC_MCP_ENABLED: variable('SVC_MCP_ENABLED'),
  SVC_OAUTH_CIMD: variable('SVC_OAUTH_CIMD'),
  SVC_SERVED_HOSTS: variable('SVC_SERVED_HOSTS'),
  SVC_HOST: variable('SVC_HOST'),
  SVC_PORT: variable('SVC_PORT', 'api'),
  SVC_METRICS_PORT: variable('SVC_METRICS_PORT').optional(),
  SVC_TRACES_URL: variable('SVC_TRACES_URL').optional(),
  SVC_DRAIN_SECONDS: variable('SVC_DRAIN_SECONDS', 'api'),
  SVC_WEBHOOK_ALLOWED_HOSTS: variable('SVC_WEBHOOK_ALLOWED_HOSTS'),
  SVC_OPENID_PROVIDERS: variable('SVC_OPENID_PROVIDERS').optional(),
  SVC_OPENID_ALLOWED_HOSTS: variable('SVC_OPENID_ALLOWED_HOSTS'),
  SVC_PASSWORD_LOGIN: variable('SVC_PASSWORD_LOGIN'),
  SVC_NEW_WORKSPACES: variable('SVC_NEW_WORKSPACES'),
  SVC_RUN_LOG_MIB: variable('SVC_RUN_LOG_MIB'),
  SVC_LOG_QUOTA_GIB: variable('SVC_LOG_QUOTA_GIB'),
  SVC_AUDIT_DAYS: variable('SVC_AUDIT_DAYS'),
})
export type ApiEnvironment = z.infer<typeof ApiEnvironment>
