import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessIdentity, isSameProcess, readProcess } from '@svc/process/process-identity'
import { type Marker, groupMembers, markedProcesses } from './find-processes.ts'

export interface TerminationTiming {
  interruptSeconds: number
  terminateSeconds: number
}

/** Nothing of it may go on by itself. */
export const atOnce: TerminationTiming = { interruptSeconds: 0, terminateSeconds: 0 }

const killSeconds = 5
const pollMs = 50

/**
 * Ends the processes of a run: SIGINT, SIGTERM, SIGKILL to the groups of these leaders, who may have gone before the others,
 * then the same for processes that left them. Returns at once when none lives.
 */
export async function endRunProcesses(
  leaders: readonly ProcessIdentity[],
  marker: Marker,
  timing: TerminationTiming,
): Promise<void> {
  const groups = groupsOf(leaders)
  await escalate(
    () => groups.flatMap(groupMembers),
    (signal) => groups.forEach((group) => send(-group, signal)),
    timing,
  )
  const signalMarked = (signal: NodeJS.Signals) => {
    for (const pid of markedProcesses(marker)) send(pid, signal)
  }
  await escalate(() => markedProcesses(marker), signalMarked, timing)
}

/** Whether any process of a run of this boot lives. */
export function livesAny(leaders: readonly ProcessIdentity[], marker: Marker): boolean {
  return groupsOf(leaders).some(hasMembers) || markedProcesses(marker).length > 0
}

const hasMembers = (group: number) => groupMembers(group).length > 0

function groupsOf(leaders: readonly ProcessIdentity[]): number[] {
  return [...new Set(leaders.filter(isOwnGroup).map(({ pid }) => pid))]
}

/** The id of a group is given out again only when the group is empty: another leader means another group. */
function isOwnGroup(leader: ProcessIdentity): boolean {
  const living = readProcess(leader.pid)
  return living === undefined || isSameProcess(living, leader)
}

async function escalate(
  find: () => readonly number[],
  signalAll: (signal: NodeJS.Signals) => void,
  { interruptSeconds, terminateSeconds }: TerminationTiming,
): Promise<void> {
  const steps = [
    ['SIGINT', interruptSeconds],
    ['SIGTERM', terminateSeconds],
    ['SIGKILL', killSeconds],
  ] as const
  for (const [signal, seconds] of steps) {
    if (find().length === 0) return
    signalAll(signal)
    // One that is stopped takes no signal but SIGKILL until it is continued.
    if (signal !== 'SIGKILL') signalAll('SIGCONT')
    await untilNone(find, seconds * 1000)
  }
}

async function untilNone(find: () => readonly number[], ms: number): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end && find().length > 0) await sleep(pollMs)
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal)
  } catch {
    // It has gone in between.
  }
}
