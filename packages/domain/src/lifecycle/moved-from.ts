import type { ObjectiveState, RunState } from '@svc/contracts/states'

/** Why something is not moved, by the states in which it is: what moves it has a name for us alone. */
export function movedFrom<State extends ObjectiveState | RunState>(
  what: string,
  { from, now }: { from: readonly State[]; now: State },
): string {
  const said = (state: State) => state.replaceAll('_', ' ')
  const states = new Intl.ListFormat('en', { type: 'disjunction' }).format(from.map(said))
  return `This can be done with ${what} that is ${states}; this one is ${said(now)}.`
}
