import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process that cannot be confused with a later one of the same pid. */
export type ProcessIdentity = { pid: number; startedAt: string }

const isLinux = process.platform === 'linux'

/** State letter, name and start time (in ticks since boot) from /proc/<pid>/stat; undefined without such a process. */
export function readStat(
  pid: number,
): { name: string; state: string; startTicks: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const nameEnd = stat.lastIndexOf(')')
    const fields = stat.slice(nameEnd + 2).split(' ')
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd)
    return { name, state: fields[0] ?? '', startTicks: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** When the process started, as a word that also names the boot; undefined when it is gone. A zombie is gone. */
export function readStartTime(pid: number): string | undefined {
  if (!isLinux) return readStartTimeFromPs(pid)
  const stat = readStat(pid)
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined
  return `${bootId()}-${stat.startTicks}`
}

export function isAlive(identity: ProcessIdentity): boolean {
  return readStartTime(identity.pid) === identity.startedAt
}

/** Answers false after the time, or once nobody wants to wait any longer. */
export async function waitUntilGone(
  identity: ProcessIdentity,
  timeoutMs: number,
  giveUp?: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (isAlive(identity)) {
    if (performance.now() > deadline || giveUp?.aborted) return false
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return true
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
}

/** For systems without /proc (macOS). */
function readStartTimeFromPs(pid: number): string | undefined {
  const answer = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  const [state, ...started] = answer.stdout.trim().split(/\s+/)
  if (answer.status !== 0 || !state || state.startsWith('Z')) return undefined
  return String(Date.parse(`${started.join(' ')} UTC`))
}
