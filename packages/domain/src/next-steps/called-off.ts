import type { MissionEvent } from '@svc/contracts/mission'

/** What the history says of the runs that were called off or taken over, by the run's id; the newest events come first. */
export function calledOff(events: readonly MissionEvent[]): ReadonlyMap<string, string> {
  const ends = events.filter(isOfEnd).toReversed()
  return new Map(
    ends.flatMap((event) => {
      const { executionRequestId: id } = event.data
      return typeof id === 'string' ? [[id, sentenceOf(event)] as const] : []
    }),
  )
}

function isOfEnd({ type, data }: MissionEvent): boolean {
  return type === 'execution_cancelled' || (type === 'run_ended' && data['outcome'] === 'cancelled')
}

function sentenceOf({ summary, actor }: MissionEvent): string {
  return actor.role === 'person' ? `${summary} (by ${actor.name})` : summary
}
