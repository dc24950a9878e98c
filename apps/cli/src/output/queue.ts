import { describeHold } from '@svc/contracts/agent-limit'
import type { Cli } from '../cli.ts'
import type { Queue } from '../queue-ref.ts'
import { withLocalTimes } from './local-time.ts'
import { lineOf } from './next-step.ts'
import { oneLine } from './terminal.ts'

export async function describeQueues(cli: Cli, queues: readonly Queue[]): Promise<string> {
  const descriptions = await Promise.all(queues.map((queue) => describeQueue(cli, queue)))
  return descriptions.join('\n\n')
}

/** The queue in a line, its entries in their order, and what a person may do about it. */
export async function describeQueue(cli: Cli, queue: Queue): Promise<string> {
  const { table } = await import('./table.ts')
  const known = queue.entries.map(({ objectiveId, displayId }) => ({ id: objectiveId, displayId }))
  const rows = queue.entries.map((entry) => [
    entry.position,
    entry.displayId,
    entry.state,
    whyNot(known, entry),
    entry.title,
  ])
  const head = `${oneLine(queue.name)}: ${stateOf(queue)}`
  const list = table(['#', 'OBJECTIVE', 'STATE', 'WHY', 'TITLE'], rows, cli.stdout)
  return [head, ...(rows.length > 0 ? [list] : []), ...queue.nextSteps.map(lineOf)].join('\n')
}

/** A person's word that its turn is now. */
function isGranted({ state, reason, turnGrantedBy }: Queue['entries'][number]): boolean {
  return state === 'waiting' && reason === 'turn' && turnGrantedBy !== null
}

const words = (reason: string) => reason.replaceAll('_', ' ')

function stateOf({ state, pauseReason, entries }: Queue): string {
  if (state === 'idle' && entries.some(isGranted)) return 'about to launch'
  return state === 'paused' && pauseReason !== null ? `paused, ${words(pauseReason)}` : state
}

/** What it waits on is said by the display id where that is known. */
export function whyNot(
  objectives: readonly { id: string; displayId: string }[],
  entry: Queue['entries'][number],
): string | null {
  const { displayId, reason, waitingOn, hold } = entry
  if (hold) return withLocalTimes(describeHold(hold))
  if (reason === null) return null
  if (isGranted(entry)) return 'takes its turn now'
  if (waitingOn === null) return words(reason)
  const known = objectives.find(({ id }) => id === waitingOn.id)
  const sibling = `another objective of ${displayId.split('.')[0]}`
  const unknown = waitingOn.type === 'objective' ? sibling : waitingOn.id
  return `${words(reason)}: ${known?.displayId ?? unknown}`
}
