import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { errorCode } from './untrusted-file.ts'

/** A process id alone may be given out again; with the start time it names one process of this boot. */
export const ProcessIdentity = z.object({
  pid: z.int(),
  /** As the system words it: ticks since boot on Linux, a date in UTC elsewhere. Only compared; empty where unknown. */
  startedAt: z.string(),
})
export type ProcessIdentity = z.infer<typeof ProcessIdentity>

const unknownStart = ''

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return readProcess(process.pid) ?? { pid: process.pid, startedAt: unknownStart }
}

/**
 * The living process of this id; a zombie counts as gone. Where the machine cannot say when it has started, as where it can
 * start no `ps`, that is unknown: who is there is never taken for gone.
 */
export function readProcess(pid: number): ProcessIdentity | undefined {
  // what is no id of a process stands for a group, or for all
  if (pid <= 0) return undefined
  const found = process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid)
  if (found === 'unknown') return isThere(pid) ? { pid, startedAt: unknownStart } : undefined
  if (!found || /^[ZX]/.test(found.state)) return undefined
  return { pid, startedAt: found.startedAt }
}

export function isAlive(identity: ProcessIdentity): boolean {
  const living = readProcess(identity.pid)
  return living !== undefined && isSameProcess(living, identity)
}

/** An unknown start is that of any process of this id. */
export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  const starts = [one.startedAt, other.startedAt]
  const isSameStart = one.startedAt === other.startedAt || starts.includes(unknownStart)
  return one.pid === other.pid && isSameStart
}

/** Whether there is such a process, or such a group where the id is negative; a zombie is one, too. */
export function isThere(target: number): boolean {
  try {
    process.kill(target, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

interface Found {
  state: string
  startedAt: string
}

/** Undefined where there is no such process. */
type Reading = Found | 'unknown' | undefined

function readFromProc(pid: number): Reading {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // a process that may open no more files learns nothing of others
    return ['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '') ? undefined : 'unknown'
  }
}

/** The command's name stands in parentheses and may hold any character, so fields count from the last one. */
export function parseStat(stat: string): Found | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  const startedAt = fields[19]
  return state && startedAt ? { state, startedAt } : undefined
}

function readFromPs(pid: number): Reading {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    // of the same process in any time zone, which changes when a laptop travels
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // so it says that there is none; null where it could not be started, or was ended
  if (status === 1 && stdout.trim() === '') return undefined
  if (status !== 0) return 'unknown'
  const [state, ...date] = stdout.trim().split(/\s+/)
  return state && date.length > 0 ? { state, startedAt: date.join(' ') } : 'unknown'
}
