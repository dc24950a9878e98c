import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { describeHold } from '@svc/contracts/agent-limit'
import type { RunnerAgent } from '@svc/contracts/runner'
import { version } from '@svc/contracts/version'
import {
  type FoundAgent,
  adapterRows,
  discoverAgents,
  isSignedOut,
  missingAgents,
  reportAgents,
} from '@svc/runner/agents/discover'
import { findDaemon } from '@svc/runner/daemon/home-lock'
import { readOffered } from '@svc/runner/daemon/offered'
import type { Home } from '@svc/runner/files/home'
import { listTrusted } from '@svc/runner/files/trust-file'
import { git } from '@svc/runner/git/git'
import { requireGit } from '@svc/runner/git/require-git'
import { listRunnerWorktrees } from '../branches/runner-worktrees.ts'
import { localHolds } from '../output/local-holds.ts'
import { withLocalTimes } from '../output/local-time.ts'
import { shellWord } from '@svc/contracts/shell-words'
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
    looked('held agents', () => checkHolds(home)),
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
  const text = `${free} MiB free below ${folder}`
  if (free < 256) return fail('disk', `${text}: runs cannot start until more is`)
  return free < 2048 ? warn('disk', text) : ok('disk', text)
}

async function checkGit({ folder }: Home): Promise<Check> {
  await requireGit(folder)
  return ok('git', (await git(folder, ['version'])).trim())
}

async function checkAgents(home: Home, env: NodeJS.ProcessEnv): Promise<Check[]> {
  const scriptedAgent = env['SVC_SCRIPTED_AGENT']
  const found = await discoverAgents({ home, env, scriptedAgent })
  const offered = readOffered(home)
  if (offered !== undefined) {
    const { agents } = offered
    return [...checkOffered(agents, found), ...(await checkSignIn(home, env, agents))]
  }
  const missing = missingAgents(found, { home })
  if (missing !== undefined && findDaemon(home) !== undefined) {
    const text = 'none on the PATH of this command; what the running runner found on its own'
    return [warn('agents', text, 'svc runner status')]
  }
  if (missing !== undefined) return [warn('agents', missing)]
  const agents = reportAgents(found)
  const rows = agents.map((one) => ok(`agent ${one.key}`, describeAgent(one)))
  return [...rows, ...(await checkSignIn(home, env, agents))]
}

/** Whether somebody is signed in, as the agents themselves say; an agent that does not say has no line. */
async function checkSignIn(
  home: Home,
  env: NodeJS.ProcessEnv,
  agents: readonly RunnerAgent[],
): Promise<Check[]> {
  const adapters = new Map(adapterRows(home).map((row) => [row.key, row]))
  const checked = agents.map(async ({ key, path }) => {
    const adapter = adapters.get(key)
    if (adapter === undefined || !(await isSignedOut(adapter, path, env))) return []
    const text = `${key} says that nobody is signed in here: its runs fail, unless the runner gives it a key or it needs none`
    return [warn(`agent ${key}`, text)]
  })
  return (await Promise.all(checked)).flat()
}

/** What is offered again by itself, and sooner where a person knows better. */
function checkHolds(home: Home): Check[] {
  return localHolds(home).map(({ agent, reason, until }) =>
    warn(
      `agent ${agent}`,
      `held: ${withLocalTimes(describeHold({ agent, reason, until }))}`,
      `svc runner agents retry ${agent}`,
    ),
  )
}

/**
 * The agents that launches can have on this machine, and those that were installed since: the runner looks when it
 * starts.
 */
function checkOffered(offered: readonly RunnerAgent[], found: readonly FoundAgent[]): Check[] {
  const installedSince = reportAgents(found).filter(({ key }) =>
    offered.every((one) => one.key !== key),
  )
  const again = 'the runner that runs does not offer it; if it should, start it again'
  const none = 'the runner that runs offers none, so it takes no launches'
  return [
    ...(offered.length === 0 ? [warn('agents', none, 'svc runner start --help')] : []),
    ...offered.map((one) => ok(`agent ${one.key}`, `${describeAgent(one)}, offered`)),
    ...installedSince.map((one) => warn(`agent ${one.key}`, `${describeAgent(one)}: ${again}`)),
  ]
}

function describeAgent({ version: found, path }: RunnerAgent): string {
  return [found, path].filter((part) => part !== null).join(', ')
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
