import type { Overview } from '../patch-overview.ts'
import type { Line } from './line.ts'

/** How lines say whose they are. */
export interface Names {
  /** Display ids of the objectives, by their ids. */
  objectives: ReadonlyMap<string, string>
  /** Who worked on each last. */
  agents: ReadonlyMap<string, string>
}

export function namesOf({
  objectives,
  executionRequests,
  workers,
}: Pick<Overview, 'objectives' | 'executionRequests' | 'workers'>): Names {
  // the newest run comes first, and who attached last to a live one is known best
  const agents = [
    ...executionRequests
      .toReversed()
      .map(({ objectiveId, agent }) => [objectiveId, agent] as const),
    ...workers.map(({ objectiveId, agent }) => [objectiveId, agent] as const),
  ]
  return {
    objectives: new Map(objectives.map(({ id, displayId }) => [id, displayId])),
    agents: new Map(agents),
  }
}

/** An agent goes by its own name, and not by that of the person whose token it has. */
export function namesIn(
  { objectiveId, actor }: Pick<Line, 'objectiveId' | 'actor'>,
  { objectives, agents }: Names,
): { objective: string | undefined; person: string | undefined; agent: string | undefined } {
  const of = <T>(names: ReadonlyMap<string, T>) =>
    objectiveId === null ? undefined : names.get(objectiveId)
  return {
    objective: of(objectives),
    // runners and the service have no name that tells anybody anything
    person: actor?.role === 'person' ? actor.name : undefined,
    agent: actor?.role === 'agent' ? (of(agents) ?? 'The agent') : undefined,
  }
}
