import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type ProcessIdentity, readProcess } from '@svc/process/process-identity'

export interface StartedProcess {
  child: ChildProcess
  identity: ProcessIdentity
}

export interface Exit {
  exitCode: number | null
  signal: string | null
}

interface Surroundings {
  workingDirectory: string
  environment: Record<string, string>
  /** What it reads: nothing, unless it is spoken with. */
  stdin?: 'ignore' | 'pipe'
}

/** Starts a process in a process group of its own. Throws the error with which the system refuses it. */
export async function startProcess(
  file: string,
  args: readonly string[],
  { workingDirectory, environment, stdin = 'ignore' }: Surroundings,
): Promise<StartedProcess> {
  const child = spawn(file, args, {
    cwd: workingDirectory,
    env: environment,
    shell: false,
    detached: true,
    stdio: [stdin, 'pipe', 'pipe'],
  })
  // Read while the child cannot have been reaped yet.
  const pid = child.pid ?? 0
  const identity = readProcess(pid) ?? { pid, startedAt: 'gone' }
  await once(child, 'spawn')
  return { child, identity }
}

/** Waits for the end of the process itself; members of its group may live on and hold its pipes open. */
export async function exitOf(child: ChildProcess): Promise<Exit> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { exitCode: child.exitCode, signal: child.signalCode }
}
