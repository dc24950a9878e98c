import { type Environment, variable } from '@svc/process/env'
import { DomainEnvironment } from '@svc/service/domain'
import { LimitsEnvironment } from '@svc/service/limits'
import { z } from 'zod'

/** What a gateway process reads from its environment. */
export const GatewayEnvironment = z.object({
  ...DomainEnvironment.shape,
  ...LimitsEnvironment.shape,
  SVC_BASE_URL: variable('SVC_BASE_URL'),
  SVC_MCP_ENABLED: variable('SVC_MCP_ENABLED'),
  SVC_SERVED_HOSTS: variable('SVC_SERVED_HOSTS'),
  SVC_HOST: variable('SVC_HOST'),
  SVC_PORT: variable('SVC_PORT', 'mcp-gateway'),
  SVC_METRICS_PORT: variable('SVC_METRICS_PORT').optional(),
  SVC_TRACES_URL: variable('SVC_TRACES_URL').optional(),
  SVC_DRAIN_SECONDS: variable('SVC_DRAIN_SECONDS', 'mcp-gateway'),
})
export type GatewayEnvironment = z.infer<typeof GatewayEnvironment>

/** Said at the start: almost on is off. */
export function mcpWarning({ SVC_MCP_ENABLED: given }: Environment): string | undefined {
  if (!given || given === 'true' || given === 'false') return undefined
  return 'SVC_MCP_ENABLED is neither true nor false: the MCP endpoint is off. Set it to true to turn it on.'
}
