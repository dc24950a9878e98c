import type { Cli } from '../cli.ts'
import type { Queue } from '../queue-ref.ts'
import { oneLine } from './terminal.ts'

export async function describeQueues(cli: Cli, queues: readonly Queue[]): Promise<string> {
  const told = await Promise.all(queues.map((queue) => describeQueue(cli, queue)))
  return told.join('\n\n')
}

/** The queue in a line, its entries in their order, and what a person may do about it. */
export async function describeQueue(cli: Cli, queue: Queue): Promise<string> {
  const { table } = await import('./table.ts')
  const rows = queue.entries.map(({ position, displayId, state, title, ...entry }) => [
    position,
    displayId,
    state,
    whyNot(queue, entry),
    title,
  ])
  const head = `${oneLine(queue.name)}: ${stateOf(queue)}`
  const list = table(['#', 'OBJECTIVE', 'STATE', 'WHY', 'TITLE'], rows, cli.stdout)
  return [head, ...(rows.length > 0 ? [list] : []), ...stepsOf(queue)].join('\n')
}

const words = (reason: string) => reason.replaceAll('_', ' ')

function stateOf({ state, pauseReason }: Queue): string {
  return state === 'paused' && pauseReason !== null ? `paused, ${words(pauseReason)}` : state
}

type Entry = Pick<Queue['entries'][number], 'reason' | 'waitingOn'>

/** What it waits on is said by the display id where that is in the same queue. */
function whyNot({ entries }: Queue, { reason, waitingOn }: Entry): string | null {
  if (reason === null) return null
  if (waitingOn === null) return words(reason)
  const known = entries.find(({ objectiveId }) => objectiveId === waitingOn.id)
  return `${words(reason)}: ${known?.displayId ?? waitingOn.id}`
}

function stepsOf(queue: Queue): string[] {
  const { state, entries } = queue
  const held = entries.find((entry) => entry.state === 'held')
  const waits = state === 'idle' && entries.some((entry) => entry.state === 'waiting')
  return [
    ...(held ? [`Try it again: svc queue retry ${held.displayId}`] : []),
    ...(waits ? [`Nothing runs; launch its first: svc queue start ${wordsFor(queue)}`] : []),
    ...(state === 'paused' ? [`Let it go on: svc queue resume ${wordsFor(queue)}`] : []),
  ]
}

/** How a command names the queue: its project by its slug, where an entry tells that. */
function wordsFor({ name, isDefault, entries, projectId }: Queue): string {
  const [slug] = entries[0]?.displayId.split(':') ?? []
  const project = slug ?? projectId
  return isDefault ? project : `${project} ${quoted(name)}`
}

/** As one word of a shell. */
export function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`
}
