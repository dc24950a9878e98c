import { limits } from '@svc/contracts/limits'
import { isClosed } from '@svc/contracts/states'
import { hold } from './command.ts'
import type { Stage } from './stage.ts'
import { type State, found } from './state.ts'

/**
 * What is listed as waiting for a person is what waits, and each once; launches that wait for a runner are left to time.
 * Answers what waits: a step that changes nothing of it needs no other look.
 */
export async function checkNeeds({ alice }: Stage, state: State, known: string): Promise<string> {
  const causes = causesIn(state).toSorted(inOrder).join(', ')
  if (causes === known) return known
  const query = { whose: 'all', limit: limits.pageItemsMax } as const
  const { needs, counts, nextCursor } = await alice.call('listNeeds', query)
  hold(nextCursor === undefined, 'I-33', 'a sequence has no more than a page of what waits')
  const listed = needs.filter(({ kind }) => kind !== 'untaken_launch')
  const names = listed.map(({ kind, id }) => `${kind} ${id}`).toSorted(inOrder)
  hold(names.join(', ') === causes, 'I-33', `it lists "${names.join(', ')}" for "${causes}"`)
  const counted = Object.values(counts).reduce((sum, { all }) => sum + all, 0)
  hold(counted === needs.length, 'I-33', `it lists ${needs.length} and counts ${counted}`)
  return causes
}

function inOrder(one: string, other: string): number {
  return one < other ? -1 : 1
}

function causesIn(state: State): string[] {
  const isThere = (id: string) => {
    const objective = found(state.objectives, id)
    return !objective.deleted && !found(state.missions, objective.mission).deleted
  }
  const needing = state.objectives.filter(({ id, mission }) => {
    return isThere(id) && !isClosed(found(state.missions, mission).phase)
  })
  const inQueue = new Set(state.entries.map(({ objective }) => objective))
  const waiting = new Set(
    state.entries.filter((entry) => entry.state === 'waiting').map(({ queue }) => queue),
  )
  const named = (kind: string, rows: readonly { id: string }[]) =>
    rows.map(({ id }) => `${kind} ${id}`)
  return [
    ...named(
      'question',
      state.questions.filter(({ status, objective }) => status === 'open' && isThere(objective)),
    ),
    ...named(
      'review',
      state.missions.filter(({ phase, deleted }) => phase === 'review' && !deleted),
    ),
    ...named(
      'approval',
      needing.filter((one) => one.state === 'awaiting_approval'),
    ),
    ...named(
      'stopped_run',
      needing.filter(({ id, stopped }) => stopped && !inQueue.has(id)),
    ),
    ...named(
      'held_entry',
      state.entries.filter((entry) => entry.state === 'held'),
    ),
    ...named(
      'paused_queue',
      state.queues.filter(({ id, paused }) => paused && waiting.has(id)),
    ),
  ]
}
