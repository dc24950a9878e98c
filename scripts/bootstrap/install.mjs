import { childrenAreStopping, start } from './children.mjs'
import { claim } from './claims.mjs'
import { installFailure, say } from './failure.mjs'

/** Runs an installer quietly, with its output kept for the case that it fails. */
export async function install(what, [command, ...args], { cwd, env }) {
  const began = Date.now()
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`
  say(`${what} …`)
  const ticking = setInterval(() => say(`${what}: ${seconds()} so far …`), 10_000)
  const { child, ended } = start(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) claim(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => (output = (output + part).slice(-20_000)))
  const { code, error } = await ended
  clearInterval(ticking)
  if (childrenAreStopping()) return new Promise(() => {}) // whoever stopped it ends this process
  if (code !== 0) throw installFailure(what, error ? error.message : output)
  say(`${what}: done in ${seconds()}`)
}
