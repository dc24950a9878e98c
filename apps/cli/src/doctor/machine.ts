import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { version } from '@svc/contracts/version'
import { discoverAgents, missingAgents } from '@svc/runner/agents/discover'
import { findDaemon } from '@svc/runner/daemon/home-lock'
import type { Home } from '@svc/runner/files/home'
import { listTrusted } from '@svc/runner/files/trust-file'
import { git } from '@svc/runner/git/git'
import { requireGit } from '@svc/runner/git/require-git'
import { listRunnerWorktrees } from '../branches/runner-worktrees.ts'
import { shellWord } from '../output/shell-word.ts'
import { type Check, fail, looked, ok, warn } from './check.ts'

/** What needs no service. */
export async function checkMachine(home: Home, env: NodeJS.ProcessEnv): Promise<Check[]> {
  const parts = [
    looked('svc', () => ok('svc', `version ${version}, Node ${process.version}`)),
    looked('runner home', () => checkHome(home)),
    looked('daemon', () => checkDaemon(home)),
    looked('disk', () => checkDisk(home)),
    looked('git', () => checkGit(home)),
    looked('agents', () => checkAgents(home, env)),
    looked('trust', () => checkTrust(home)),
    looked('worktrees', () => checkWorktrees(home)),
  ]
  return (await Promise.all(parts)).flat()
}

function checkHome({ folder }: Home): Check {
  const isOpen = process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0
  if (!isOpen) return ok('runner home', folder)
  return warn('runner home', `others can look into ${folder}`, `chmod 700 ${shellWord(folder)}`)
}

function checkDaemon(home: Home): Check {
  const pid = findDaemon(home)
  return pid === undefined
    ? warn('daemon', 'not running: this machine takes no launches', 'svc runner start')
    : ok('daemon', `process ${pid}`)
}

const mebibyte = 1024 * 1024

async function checkDisk({ folder }: Home): Promise<Check> {
  const { bavail, bsize } = await statfs(folder)
  const free = Math.floor((bavail * bsize) / mebibyte)
  const told = `${free} MiB free below ${folder}`
  if (free < 256) return fail('disk', `${told}: runs cannot start until more is`)
  return free < 2048 ? warn('disk', told) : ok('disk', told)
}

async function checkGit({ folder }: Home): Promise<Check> {
  await requireGit(folder)
  return ok('git', (await git(folder, ['version'])).trim())
}

async function checkAgents(home: Home, env: NodeJS.ProcessEnv): Promise<Check[]> {
  const scriptedAgent = env['SVC_SCRIPTED_AGENT']
  const found = await discoverAgents({ home, env, scriptedAgent })
  const missing = missingAgents(found, { home })
  if (missing !== undefined && findDaemon(home) !== undefined) {
    const told = 'none on the PATH of this command; what the running runner found on its own'
    return [warn('agents', told, 'svc runner status')]
  }
  if (missing !== undefined) return [warn('agents', missing)]
  return found.map(({ adapter, command, version: told }) =>
    ok(`agent ${adapter.key}`, [told, command.at(-1)].filter(Boolean).join(', ')),
  )
}

/** What a person has agreed to run; whoever else may write it would agree in their name. */
function checkTrust(home: Home): Check[] {
  const path = home.trustFile
  if (!existsSync(path)) return []
  listTrusted(home)
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & 0o022) !== 0
  if (isOpen) return [fail('trust', `others can write ${path}`, `chmod 600 ${shellWord(path)}`)]
  return [ok('trust', path)]
}

/** Those that nothing clears up without a person. */
async function checkWorktrees(home: Home): Promise<Check[]> {
  const all = await listRunnerWorktrees(home)
  const stuck = all.filter(({ needsHand }) => needsHand)
  if (stuck.length === 0) return [ok('worktrees', `${all.length}, none needs a hand`)]
  return stuck.map(({ path, kept }) =>
    warn('worktree', `${path}: ${kept}`, `git -C ${shellWord(path)} status`),
  )
}
