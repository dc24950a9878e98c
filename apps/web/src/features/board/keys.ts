import type { RouteName } from '@svc/contracts/rest'
import type { Key } from '../../shell/keys.ts'
import type { Arrow } from './walk.ts'

interface Does {
  mayCall: (operation: RouteName) => boolean
  /** The card that has the focus. */
  focused: () => string | undefined
  /** The first card of all, where none has the focus. */
  begin: () => unknown
  create: () => void
  filter: () => void
  move: (missionId: string) => void
  edit: (missionId: string) => void
  launch: (missionId: string) => void
  remove: (missionId: string) => void
}

/** What arrows do where a card has the focus, which takes them itself. With Shift they take the card along. */
export const arrowKeys: Readonly<Record<Arrow, string>> = {
  ArrowDown: 'the next card',
  ArrowUp: 'the card before',
  ArrowRight: 'the next column',
  ArrowLeft: 'the column before',
}

/** The keys of the page; what somebody may not do has none. */
export function boardKeys(does: Does): Key[] {
  const { mayCall } = does
  const on = (act: (missionId: string) => void) => () => {
    const id = does.focused()
    if (id === undefined) return false
    return act(id)
  }
  const mine = (operation: RouteName, ...keys: Key[]) => (mayCall(operation) ? keys : [])
  const ofCard = () => false as const
  return [
    { keys: 'j', does: 'to the cards', run: does.begin },
    ...Object.entries(arrowKeys).map(([keys, what]) => ({ keys, does: what, run: ofCard })),
    { keys: 'Enter', does: 'open the mission', run: ofCard },
    ...mine(
      'moveMission',
      { keys: 'Shift+ArrowRight', does: 'move the card to the next column', run: ofCard },
      { keys: 'Shift+ArrowLeft', does: 'move the card to the column before', run: ofCard },
      { keys: 'm', does: 'move the card to …', run: on(does.move) },
    ),
    ...mine('launchObjective', {
      keys: 'l',
      does: 'launch what is next in it',
      run: on(does.launch),
    }),
    ...mine('updateMission', { keys: 'e', does: 'its title and priority', run: on(does.edit) }),
    ...mine('deleteMissions', { keys: 'Delete', does: 'delete it', run: on(does.remove) }),
    ...mine('createMission', { keys: 'c', does: 'new mission', run: does.create }),
    { keys: 'f', does: 'filter', run: does.filter },
  ]
}
