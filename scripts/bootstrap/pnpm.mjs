import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { Failure } from './failure.mjs'
import { fetchPackage } from './npm-packages.mjs'
import { onPath } from './places.mjs'
import { platform } from './platform.mjs'

const version = '12.21.0'
const platforms = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
]

export async function getPnpm() {
  const found = machinePnpm()
  if (found !== undefined) return found
  if (!platforms.includes(platform())) {
    throw new Failure(
      `No pnpm ${version} is known for ${platform()}: install pnpm 12 yourself and start again.`,
    )
  }
  return fetchPackage('pnpm', { name: `@pnpm/exe.${platform()}`, version, file: 'pnpm' })
}

/** A pnpm 12 of the machine's own. Corepack's stand-in is passed over: asking it its version may download. */
function machinePnpm() {
  const found = onPath('pnpm')
  if (found === undefined || realpathSync(found).includes('corepack')) return undefined
  const answer = spawnSync(found, ['--version'], { cwd: '/', encoding: 'utf8', timeout: 10_000 })
  return answer.status === 0 && answer.stdout.startsWith('12.') ? found : undefined
}
