import type { FeedChange } from '@svc/contracts/feed'
import type { MissionEvent } from '@svc/contracts/mission'

/** A line of the history; of one that the live feed has told just now the author is read a little later. */
export interface Line extends Omit<MissionEvent, 'missionId' | 'sequence' | 'actor' | 'data'> {
  actor: MissionEvent['actor'] | undefined
  /** What became of what it tells, where its kind has that. */
  outcome?: string
}

function outcomeIn({ outcome }: Record<string, unknown>): Pick<Line, 'outcome'> {
  return typeof outcome === 'string' ? { outcome } : {}
}

export function lineOfEvent({
  id,
  objectiveId,
  type,
  summary,
  actor,
  data,
  createdAt,
}: MissionEvent): Line {
  return { id, objectiveId, type, summary, actor, createdAt, ...outcomeIn(data) }
}

/** Nothing where the change is of something else. */
export function lineOfChange(
  { entity, entityId, operation, missionId, data, at }: FeedChange,
  ofMission: string,
): Line | undefined {
  if (entity !== 'mission_event' || missionId !== ofMission) return undefined
  const { summary, objectiveId } = data
  return {
    id: entityId,
    type: operation,
    summary: typeof summary === 'string' ? summary : '',
    objectiveId: typeof objectiveId === 'string' ? objectiveId : null,
    actor: undefined,
    createdAt: at,
    ...outcomeIn(data),
  }
}

/** What of the history somebody wants to see. */
export interface LineFilter {
  types?: readonly string[] | undefined
  objectiveId?: string | undefined
}

export function passes({ types, objectiveId }: LineFilter, line: Line): boolean {
  return (
    (types === undefined || types.includes(line.type)) &&
    (objectiveId === undefined || line.objectiveId === objectiveId)
  )
}
