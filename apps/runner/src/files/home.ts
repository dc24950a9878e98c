import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where everything of a runner lies. */
export interface Home {
  folder: string
  runs: string
  bin: string
  scratch: string
  /** Worktrees of linked checkouts, one a branch. */
  worktrees: string
  /** What an ephemeral runner has cloned. */
  clones: string
  tmp: string
  deviceFile: string
  resourcesFile: string
  agentsFile: string
  /** What the daemon that runs offers. */
  offeredFile: string
  trustFile: string
  /** Agents that are not offered for now, one a file. */
  holds: string
  lockFile: string
}

/** `SVC_RUNNER_HOME`, else `~/.svc/runner`. */
export function defaultHome(env: NodeJS.ProcessEnv): string {
  return resolve(env['SVC_RUNNER_HOME'] || join(homedir(), '.svc', 'runner'))
}

export function homeAt(folder: string): Home {
  const at = (name: string) => join(folder, name)
  return {
    folder,
    runs: at('runs'),
    bin: at('bin'),
    scratch: at('scratch'),
    worktrees: at('worktrees'),
    clones: at('clones'),
    tmp: at('tmp'),
    deviceFile: at('device.json'),
    resourcesFile: at('resources.json'),
    agentsFile: at('agents.json'),
    offeredFile: at('offered.json'),
    trustFile: at('trust.json'),
    holds: at('holds'),
    lockFile: at('daemon.lock'),
  }
}

/** The same, with its folders made; only their owner may look into them. */
export function openHome(folder: string): Home {
  const home = homeAt(resolve(folder))
  const { runs, bin, scratch, worktrees, tmp, holds } = home
  for (const path of [home.folder, runs, bin, scratch, worktrees, tmp, holds]) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }
  return home
}

/** Folder of the worktrees as Git writes it, also while it is not there. */
export function worktreesRoot({ worktrees }: Home): string {
  return existsSync(worktrees) ? realpathSync(worktrees) : worktrees
}
