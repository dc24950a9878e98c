import type { Objective } from '@svc/contracts/objective'
import type { RouteName } from '@svc/contracts/rest'
import { isActive, isLaunchable, isNotStarted } from '../../data/states.ts'
import type { Key } from '../../shell/keys.ts'

type Shown = Pick<Objective, 'id' | 'state' | 'instruction'>

interface Does {
  mayCall: (operation: RouteName) => boolean
  objectives: readonly Shown[]
  /** The objective that has the focus, or whose details are open. */
  current: () => string | undefined
  go: (objectiveId: string) => void
  launch: (objectiveId: string) => void
  cancel: (objectiveId: string) => void
  edit: (objectiveId: string) => void
  add: () => void
  move: () => void
  /** Undefined where nothing was delivered yet. */
  review: (() => void) | undefined
  step: (objectiveId: string, direction: 'up' | 'down') => void
}

/** What each key does on a mission's page; what somebody may not do has none. */
export function missionKeys(does: Does): Key[] {
  const { mayCall, objectives, current } = does
  const on = (fits: (objective: Shown) => boolean, act: (id: string) => void) => () => {
    const chosen = currentOrFirst(objectives, current(), fits)
    if (chosen !== undefined) act(chosen)
  }
  const mine = (operation: RouteName, key: Key) => (mayCall(operation) ? [key] : [])
  const walk = (step: 1 | -1) => () => {
    const next = neighbour(objectives, current(), step)
    if (next !== undefined) does.go(next)
  }
  const notStarted = ({ state }: Shown) => isNotStarted(state)
  return [
    { keys: 'j', does: 'the next objective', run: walk(1) },
    { keys: 'k', does: 'the objective before', run: walk(-1) },
    ...mine('addObjectives', { keys: 'o', does: 'new objective', run: does.add }),
    ...mine('updateObjective', {
      keys: 'e',
      does: 'edit its instruction',
      run: on(notStarted, does.edit),
    }),
    ...mine('launchObjective', { keys: 'l', does: 'launch', run: on(isLaunchable, does.launch) }),
    ...mine('cancelObjective', {
      keys: 'x',
      does: 'call its run off',
      run: on(({ state }) => isActive(state), does.cancel),
    }),
    ...mine('reorderFutureObjectives', {
      keys: 'Alt+ArrowUp',
      does: 'the objective one place up',
      run: on(notStarted, (id) => does.step(id, 'up')),
    }),
    ...mine('reorderFutureObjectives', {
      keys: 'Alt+ArrowDown',
      does: 'the objective one place down',
      run: on(notStarted, (id) => does.step(id, 'down')),
    }),
    ...mine('moveMission', { keys: 'm', does: 'move the mission to …', run: does.move }),
    ...(does.review ? [{ keys: 'r', does: 'review what was delivered', run: does.review }] : []),
    // in fields, which take it themselves
    { keys: 'Mod+Enter', does: 'save or send what is written', run: () => undefined },
  ]
}

/** The current one where that fits; where none is current, the first that does. */
function currentOrFirst(
  objectives: readonly Shown[],
  current: string | undefined,
  fits: (objective: Shown) => boolean,
): string | undefined {
  if (current === undefined) return objectives.find(fits)?.id
  return objectives.find((one) => one.id === current && fits(one))?.id
}

function neighbour(
  objectives: readonly Shown[],
  current: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = objectives.findIndex(({ id }) => id === current)
  if (at === -1) return objectives.at(step === 1 ? 0 : -1)?.id
  return objectives[at + step]?.id
}
