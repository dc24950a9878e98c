import { delimiter, dirname } from 'node:path'
import { start } from './children.mjs'
import { environmentWithout } from './environment.mjs'
import { root } from './places.mjs'
import { handSignalsTo } from './signals.mjs'

/** Runs Node with these arguments, with our Node and pnpm first on its PATH and nothing of npm's in its environment. */
export function handOver({ node, pnpm }, args) {
  const path = [dirname(node), dirname(pnpm), process.env.PATH].filter(Boolean).join(delimiter)
  const ofNpm = /^npm_(config_|package_|lifecycle_|execpath|node_execpath|command)/i
  const env = environmentWithout(ofNpm, {
    PATH: path,
    SVC_PARENT_WATCH: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  })
  const { child, ended } = start(node, args, { cwd: root, env, stdio: 'inherit' })
  handSignalsTo(child)
  return ended
}
