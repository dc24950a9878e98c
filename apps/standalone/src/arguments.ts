import { parseArgs } from 'node:util'
import { Fault } from './fault.ts'

export interface Arguments {
  once: boolean
  demo: boolean
  help: boolean
}

export const usage = `Runs the whole of svc on this machine: database, API and a runner, in one data folder.

Usage: npm start [-- options]

  --once      run the demonstration, stop everything, exit 0 when it reached review
  --no-demo   start without the demonstration
  --help      show this

Environment: SVC_PORT (4600), SVC_DATA_DIR (.svc/data), DATABASE_URL (embedded PostgreSQL when unset)

Examples:
  npm start
  npm start -- --once
  SVC_PORT=4700 npm start -- --no-demo
`

export function readArguments(args: string[]): Arguments {
  try {
    const { values } = parseArgs({
      args,
      options: {
        once: { type: 'boolean', default: false },
        'no-demo': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return { once: values.once, demo: !values['no-demo'], help: values.help }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Fault(`${reason.split('. ')[0]}. See npm start -- --help`)
  }
}
