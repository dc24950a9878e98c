import { type Environment, variable } from '@svc/process/env'
import { z } from 'zod'

/** What a gateway process reads from its environment. */
export const GatewayEnvironment = z.object({
  DATABASE_URL: variable('DATABASE_URL'),
  SVC_DATABASE_DIRECT_URL: variable('SVC_DATABASE_DIRECT_URL').optional(),
  SVC_BASE_URL: variable('SVC_BASE_URL'),
  SVC_MCP_ENABLED: variable('SVC_MCP_ENABLED').default(false),
  SVC_HOST: variable('SVC_HOST').default('127.0.0.1'),
  SVC_PORT: variable('SVC_PORT').default(4600),
  SVC_SECRET_KEYS: variable('SVC_SECRET_KEYS'),
  SVC_POOL_SIZE: variable('SVC_POOL_SIZE').default(10),
  SVC_NOTIFY: variable('SVC_NOTIFY').default(true),
  SVC_DRAIN_SECONDS: variable('SVC_DRAIN_SECONDS').default(5),
})
export type GatewayEnvironment = z.infer<typeof GatewayEnvironment>

/** Said at the start: almost on is off. */
export function mcpWarning({ SVC_MCP_ENABLED: given }: Environment): string | undefined {
  if (!given || given === 'true' || given === 'false') return undefined
  return 'SVC_MCP_ENABLED is neither true nor false: the MCP endpoint is off. Set it to true to turn it on.'
}
