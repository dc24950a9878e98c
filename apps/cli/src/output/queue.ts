import type { Cli } from '../cli.ts'
import type { Queue } from '../queue-ref.ts'
import { isGranted, stepsOfQueue } from './queue-steps.ts'
import { oneLine } from './terminal.ts'

/** `project` is what the person called it. */
export async function describeQueues(
  cli: Cli,
  queues: readonly Queue[],
  project: string,
): Promise<string> {
  const told = await Promise.all(queues.map((queue) => describeQueue(cli, queue, project)))
  return told.join('\n\n')
}

/** The queue in a line, its entries in their order, and what a person may do about it. */
export async function describeQueue(cli: Cli, queue: Queue, project: string): Promise<string> {
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
  return [head, ...(rows.length > 0 ? [list] : []), ...stepsOf(queue, project)].join('\n')
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
  const { displayId, reason, waitingOn } = entry
  if (reason === null) return null
  if (isGranted(entry)) return 'takes its turn now'
  if (waitingOn === null) return words(reason)
  const known = objectives.find(({ id }) => id === waitingOn.id)
  const sibling = `another objective of ${displayId.split('.')[0]}`
  const unknown = waitingOn.type === 'objective' ? sibling : waitingOn.id
  return `${words(reason)}: ${known?.displayId ?? unknown}`
}

/** One of each kind; another entry's comes when this one's is done. */
function stepsOf(queue: Queue, project: string): string[] {
  const steps = new Map<string, string>()
  for (const { how, command } of stepsOfQueue(queue, project)) {
    if (!steps.has(how)) steps.set(how, command)
  }
  return [...steps].map(([how, command]) => `${how}: ${command}`)
}
