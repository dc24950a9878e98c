// Runs a root script with the Node and pnpm of this repository: `node scripts/bootstrap.mjs <script> [args…]`.
// Plain JavaScript for Node 20. All it writes lies in `.svc/` and `node_modules/`.
import { constants } from 'node:os'
import { stopChildren } from './bootstrap/children.mjs'
import { asFailure, Failure, say } from './bootstrap/failure.mjs'
import { handOver } from './bootstrap/hand-over.mjs'
import { toolchain } from './bootstrap/places.mjs'
import { prepare, prepareProgram } from './bootstrap/prepare.mjs'
import { scripts } from './bootstrap/scripts.mjs'
import { finish, obeySignals } from './bootstrap/signals.mjs'

async function main([name = '', ...args]) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Failure(
      `Node ${process.versions.node} is too old: install Node 20 or newer and start again.`,
    )
  }
  if (!Object.hasOwn(scripts, name)) {
    throw new Failure(`Unknown script "${name}": use one of ${Object.keys(scripts).join(', ')}.`)
  }
  obeySignals()
  const script = scripts[name]
  const tools = await prepare(script.development)
  const fetched = []
  for (const program of script.programs ?? []) fetched.push(await prepareProgram(program))
  const { code, signal, error } = await handOver(tools, script, [...fetched, ...args])
  if (error)
    throw new Failure(
      `Node could not be started: ${error.message}. Remove ${toolchain} and start again.`,
    )
  return signal === null ? code : 128 + constants.signals[signal]
}

try {
  finish(await main(process.argv.slice(2)))
} catch (error) {
  await stopChildren('SIGTERM')
  const failure = asFailure(error)
  say(`svc: ${failure instanceof Failure ? failure.message : failure.stack}`)
  finish(1)
}
