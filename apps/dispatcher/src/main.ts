import { readEnvironment, unknownVariableWarnings } from '@svc/process/env'
import { run } from '@svc/process/run'
import { DispatcherEnvironment } from './env.ts'
import { openDispatcher } from './server.ts'

run('dispatcher', async ({ log, open }) => {
  const environment = readEnvironment(DispatcherEnvironment, process.env)
  for (const warning of unknownVariableWarnings(process.env)) log.warn(warning)
  await open(() => openDispatcher({ environment, log }))
})
