import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A process id alone may be given out again; with the start time it names one process of this boot. */
export const ProcessIdentity = z.object({
  pid: z.int(),
  /** As the system words it: ticks since boot on Linux, a date in UTC elsewhere. Only compared. */
  startedAt: z.string(),
})
export type ProcessIdentity = z.infer<typeof ProcessIdentity>

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return readProcess(process.pid) ?? { pid: process.pid, startedAt: '' }
}

/** The living process of this id; a zombie counts as gone. */
export function readProcess(pid: number): ProcessIdentity | undefined {
  const found = process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid)
  if (!found || /^[ZX]/.test(found.state)) return undefined
  return { pid, startedAt: found.startedAt }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return readProcess(identity.pid)?.startedAt === identity.startedAt
}

interface Found {
  state: string
  startedAt: string
}

function readFromProc(pid: number): Found | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

/** The command's name stands in parentheses and may hold any character, so fields count from the last one. */
export function parseStat(stat: string): Found | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  const startedAt = fields[19]
  return state && startedAt ? { state, startedAt } : undefined
}

function readFromPs(pid: number): Found | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      // of the same process in any time zone, which changes when a laptop travels
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    const [state, ...date] = line.split(/\s+/)
    return state && date.length > 0 ? { state, startedAt: date.join(' ') } : undefined
  } catch {
    return undefined
  }
}
