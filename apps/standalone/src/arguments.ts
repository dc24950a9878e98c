import { parseArgs } from 'node:util'
import { Fault } from './fault.ts'

export interface Arguments {
  once: boolean
  demo: boolean
  help: boolean
  /** Files that the rows of the service are written to, or taken from; nothing else is done then. */
  export: string | undefined
  import: string | undefined
}

export const usage = `Runs the whole of svc on this machine: database, API and a runner, in one data folder.

Usage: npm start [-- options]

  --once      run the demonstration, stop everything, exit 0 when it reached review
  --no-demo   start without the demonstration
  --export F  write every row of the service to the file F; nothing else is started
  --import F  load such a file into a data folder without a database; its secret-keys are those of the export
  --help      show this

Environment: SVC_PORT (4600), SVC_DATA_DIR (.svc/data), DATABASE_URL (embedded PostgreSQL when unset)

Examples:
  npm start
  npm start -- --once
  npm start -- --export svc-export.gz
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
        export: { type: 'string' },
        import: { type: 'string' },
      },
    })
    if (values.export !== undefined && values.import !== undefined) {
      throw new Fault('Export and import one after the other')
    }
    return {
      once: values.once,
      demo: !values['no-demo'],
      help: values.help,
      export: values.export,
      import: values.import,
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Fault(`${reason.split('. ')[0]}. See npm start -- --help`)
  }
}
