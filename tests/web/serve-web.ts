import { openApi } from '@svc/api/server'
import { ApiEnvironment } from '@svc/api/env'
import { readEnvironment } from '@svc/process/env'
import { run } from '@svc/process/run'

// `apps/api/src/main.ts` with the web app of the tests, for those that end the process.
const [folder = ''] = process.argv.slice(2)

run('api', async ({ log, open }) => {
  const environment = readEnvironment(ApiEnvironment, process.env)
  await open(() => openApi({ environment, log, webApp: () => ({ state: 'built', folder }) }))
})
