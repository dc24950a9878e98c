import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { Failure } from './failure.mjs'
import { fetchPackage } from './npm-packages.mjs'
import { onPath } from './places.mjs'
import { platform } from './platform.mjs'

const version = '12.21.0'
/** By platform the hash of its package. Those without one are fetched by their version alone. */
const platforms = {
  'linux-x64':
    'sha512-8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ==',
  'linux-arm64':
    'sha512-4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA==',
  'linux-x64-musl': undefined,
  'linux-arm64-musl': undefined,
  'darwin-x64': undefined,
  'darwin-arm64': undefined,
}

export async function getPnpm() {
  const found = machinePnpm()
  if (found !== undefined) return found
  if (!Object.hasOwn(platforms, platform())) {
    throw new Failure(
      `No pnpm ${version} is known for ${platform()}: install pnpm 12 yourself and start again.`,
    )
  }
  const integrity = platforms[platform()]
  return fetchPackage('pnpm', { name: `@pnpm/exe.${platform()}`, version, file: 'pnpm', integrity })
}

/** A pnpm 12 of the machine's own. Corepack's stand-in is passed over: asking it its version may download. */
function machinePnpm() {
  const found = onPath('pnpm')
  if (found === undefined || realpathSync(found).includes('corepack')) return undefined
  const answer = spawnSync(found, ['--version'], { cwd: '/', encoding: 'utf8', timeout: 10_000 })
  return answer.status === 0 && answer.stdout.startsWith('12.') ? found : undefined
}
