import { readEnvironment, unknownVariableWarnings } from '@svc/process/env'
import { run } from '@svc/process/run'
import { ApiEnvironment } from './env.ts'
import { openApi } from './server.ts'

run('api', async ({ log, open }) => {
  const environment = readEnvironment(ApiEnvironment, process.env)
  for (const warning of unknownVariableWarnings(process.env)) log.warn(warning)
  await open(() => openApi({ environment, log }))
})
