import { RefusedError } from '@svc/client/errors'
import { newKey } from '@svc/client/new-key'
import type { ProjectStatus } from '@svc/contracts/project'
import { isUnanswered, saidBy } from '../../data/unanswered.ts'
import { type Move, judgeOrder, movedAmong } from '../order/judge-order.ts'
import type { Statuses } from './reads.ts'

/** A status on its way to another place among those of its project. */
export interface Ordering extends Move {
  label: string
  /** Of the project that was shown. */
  expectedRevision: number
  /** Under which it is sent, so that it is done once however often that is. */
  key: string
}

/** Why an order was not made, and what a person can do about it. */
export type Hindrance =
  /** Somebody else has put them in another order meanwhile, which is this one. */
  | { why: 'ordered'; ordering: Ordering; standing: Statuses }
  /** What was to be moved has been deleted meanwhile. */
  | { why: 'gone'; ordering: Ordering }
  /** `said`: what the service gave as its reason, where it gave any. */
  | { why: 'unanswered'; ordering: Ordering; said?: string | undefined }
  | { why: 'refused'; ordering: Ordering; error: Error }

/** What an order that was not made comes to, of which nobody has to be told. */
type Settled =
  /** Something else of the project was changed: it goes out again on top of that. */
  | { why: 'resend'; ordering: Ordering }
  /** Somebody else has just made the same one. */
  | { why: 'done' }

export function orderingOf(
  { project, statuses }: Statuses,
  { id, label }: Pick<ProjectStatus, 'id' | 'label'>,
  wanted: readonly string[],
): Ordering {
  return {
    moved: id,
    label,
    before: idsOf(statuses),
    wanted,
    expectedRevision: project.revision,
    key: newKey(),
  }
}

export function judge(ordering: Ordering, error: unknown): Hindrance | Settled {
  if (isUnanswered(error)) return { why: 'unanswered', ordering, said: saidBy(error)?.message }
  const shown = error instanceof Error ? error : new Error(String(error))
  const standing = standingIn(error)
  if (standing === undefined) return { why: 'refused', ordering, error: shown }
  const verdict = judgeOrder(ordering, idsOf(standing.statuses))
  if (verdict === 'gone') return { why: 'gone', ordering }
  if (verdict === 'done') return { why: 'done' }
  return verdict === 'resend'
    ? { why: 'resend', ordering: onto(ordering, standing) }
    : { why: 'ordered', ordering, standing }
}

/** The next try, once a person has said that it is to be made all the same; undefined where it cannot be. */
export function nextTry(hindrance: Hindrance): Ordering | undefined {
  const { why, ordering } = hindrance
  switch (why) {
    case 'ordered':
      return onto(ordering, hindrance.standing)
    // it may have been made: as it was and under its key it is made once
    case 'unanswered':
      return ordering
    case 'refused':
      return { ...ordering, key: newKey() }
    case 'gone':
      return undefined
  }
}

function onto(ordering: Ordering, standing: Statuses): Ordering {
  return orderingOf(
    standing,
    { id: ordering.moved, label: ordering.label },
    movedAmong(ordering, idsOf(standing.statuses)),
  )
}

/** What the refusal says of what stands now; undefined where it is refused for another reason. */
function standingIn(error: unknown): Statuses | undefined {
  if (!(error instanceof RefusedError) || error.code !== 'revision_mismatch') return undefined
  // the details of this refusal are described with the call, and have no type of their own
  const { current } = (error.details ?? {}) as { current?: Partial<Statuses> | null }
  if (current?.project === undefined || current.statuses === undefined) return undefined
  return { project: current.project, statuses: current.statuses }
}

function idsOf(statuses: readonly ProjectStatus[]): string[] {
  return statuses.map(({ id }) => id)
}
