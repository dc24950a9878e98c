import { run } from '@svc/process/run'
import { runCommands } from './commands.ts'

run('svc-admin', ({ log }) =>
  runCommands(
    {
      call: (variables) => (variables === undefined ? 'svc-admin' : `${variables} svc-admin`),
      environment: async () => process.env,
      log,
      ifUnconfigured: 'The service of npm start has its own: npm run -s admin -- --help.',
    },
    process.argv.slice(2),
  ),
)
