import { delimiter, dirname, resolve } from 'node:path'
import { start } from './children.mjs'
import { environmentWithout } from './environment.mjs'
import { root } from './places.mjs'
import { handSignalsTo } from './signals.mjs'

/** Runs the script in Node, with nothing of npm's in its environment. */
export function handOver({ node, pnpm }, { runs, development, whereThePersonStands }, args) {
  const tools = development ? [dirname(node), dirname(pnpm)] : []
  const ofNpm = /^npm_(config_|package_|lifecycle_|execpath|node_execpath|command)/i
  const env = environmentWithout(ofNpm, {
    PATH: [...tools, ...personsPath()].join(delimiter),
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

/** The folders of the PATH without those that npm puts before them for its scripts. */
function personsPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const ofNpm = /[/\\]node_modules[/\\]\.bin$|[/\\]node-gyp-bin$/
  const { npm_lifecycle_event: script } = process.env
  return script === undefined
    ? folders
    : folders.slice(folders.findIndex((folder) => !ofNpm.test(folder)))
}

/** npm runs its scripts in the folder of package.json, and says in which folder the person called it, from which relative paths are meant. */
function callerFolder() {
  const { npm_lifecycle_event: script, INIT_CWD: stoodIn } = process.env
  return (script !== undefined && stoodIn) || process.cwd()
}
