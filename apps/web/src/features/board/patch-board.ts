import type { FeedChange } from '@svc/contracts/feed'
import { isClosed } from '../../data/states.ts'
import { type Board, placeOf, withCard, withMoved } from './board.ts'

/** What happens in a mission without a trace on its card. A card takes its revision with what it shows. */
const unseen: ReadonlySet<string> = new Set(['revise', 'event', 'shared_state', 'branch'])
/** What changes the number of missions. */
const counting: ReadonlySet<string> = new Set(['create', 'delete', 'restore'])

/** The whole board, or some of its columns, after a change that says all of it; undefined where it has to be read again. */
export function patchBoard(board: Board, change: FeedChange): Board | undefined {
  const { entity, operation, missionId } = change
  if (entity === 'runner') return waitsForRunner(board) ? undefined : board
  if (change.projectId !== board.project.id) return board
  if (entity === 'project') return undefined
  if (entity === 'mission') {
    if (unseen.has(operation)) return board
    if (operation === 'status') return patchStatus(board, change)
    if (counting.has(operation)) return undefined
  }
  const id = entity === 'mission' ? change.entityId : missionId
  const place = id === null ? undefined : placeOf(board, id)
  // nothing of a mission that is not shown but where it stands is on the board
  if (place === undefined) return board
  if (entity === 'agent_session' && operation === 'progress') {
    return patchProgress(board, place.card.id, change)
  }
  return undefined
}

/** A board of some missions: which they are a change does not say. */
export function patchFiltered(board: Board, change: FeedChange): Board | undefined {
  if (change.entity === 'runner') return waitsForRunner(board) ? undefined : board
  if (change.projectId !== board.project.id) return board
  return change.entity === 'mission' && unseen.has(change.operation) ? board : undefined
}

/** Why no runner takes what is queued. */
function waitsForRunner({ columns }: Board): boolean {
  return columns.some(({ cards }) => cards.some(({ badge }) => badge?.kind === 'queued'))
}

/** The change names the status by its type and label, which two of a project may share. */
function patchStatus(board: Board, change: FeedChange): Board | undefined {
  const { phase, label } = change.data
  const [to, ...others] = board.columns.filter(
    ({ status }) => status.type === phase && status.label === label,
  )
  const place = placeOf(board, change.entityId)
  const isPart = board.columns.length === 1
  if (place === undefined) return isPart && to === undefined ? board : undefined
  const isKnown = others.length === 0 && (to !== undefined || isPart)
  // closing a mission settles what its badge says, and opening it again brings that back
  const keepsBadge = place.card.badge === null && !isClosed(place.column.status.type)
  if (!isKnown || !keepsBadge) return undefined
  const revision = change.revision ?? place.card.revision
  return withMoved({ ...place.card, revision, updatedAt: change.at }, to?.status.id)(board)
}

function patchProgress(board: Board, id: string, { data }: FeedChange): Board | undefined {
  const { objectiveId, percent } = data
  const badge = placeOf(board, id)?.card.badge
  if (badge?.kind !== 'running') return board
  if (badge.objective.id !== objectiveId) return board
  return withCard(id, {
    badge: { ...badge, percent: typeof percent === 'number' ? percent : null },
  })(board)
}
