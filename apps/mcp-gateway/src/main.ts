import { readEnvironment, unknownVariableWarnings } from '@svc/process/env'
import { run } from '@svc/process/run'
import { GatewayEnvironment, mcpWarning } from './env.ts'
import { openGateway } from './server.ts'

run('mcp-gateway', async ({ log, open }) => {
  const environment = readEnvironment(GatewayEnvironment, process.env)
  const warnings = [...unknownVariableWarnings(process.env), mcpWarning(process.env)]
  for (const warning of warnings) if (warning) log.warn(warning)
  await open(() => openGateway(environment, log))
})
