import { delimiter, dirname, resolve } from 'node:path'
import { start } from './children.mjs'
import { environmentWithout } from './environment.mjs'
import { root } from './places.mjs'
import { handSignalsTo } from './signals.mjs'

/** Runs the script in Node, with our Node and pnpm first on its PATH and nothing of npm's in its environment. */
export function handOver({ node, pnpm }, { runs, whereThePersonStands }, args) {
  const path = [dirname(node), dirname(pnpm), process.env.PATH].filter(Boolean).join(delimiter)
  const ofNpm = /^npm_(config_|package_|lifecycle_|execpath|node_execpath|command)/i
  const env = environmentWithout(ofNpm, {
    PATH: path,
    SVC_PARENT_WATCH: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  })
  const [module, ...words] = runs
  const { child, ended } = start(node, [resolve(root, module), ...words, ...args], {
    cwd: whereThePersonStands ? callerFolder() : root,
    env,
    stdio: 'inherit',
  })
  handSignalsTo(child)
  return ended
}

/** npm runs its scripts in the folder of package.json, and says in which folder the person called it, from which relative paths are meant. */
function callerFolder() {
  const { npm_lifecycle_event: script, INIT_CWD: stoodIn } = process.env
  return (script !== undefined && stoodIn) || process.cwd()
}
