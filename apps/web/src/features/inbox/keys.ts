import type { RouteName } from '@svc/contracts/rest'
import type { Key } from '../../shell/keys.ts'

interface Does {
  mayCall: (operation: RouteName) => boolean
  /** The items, in the order of the page. */
  rows: () => readonly HTMLElement[]
  /** Into the field at the top. */
  capture: () => void
  /** Of the item that has the focus, by its button; answers false where it has none. */
  press: (action: string) => boolean
}

/** From item to item, and what is done with the one that has the focus; what somebody may not do has no key. */
export function inboxKeys({ mayCall, rows, capture, press }: Does): Key[] {
  const walk = (step: 1 | -1) => () => {
    const all = rows()
    const at = all.findIndex((row) => row.contains(document.activeElement))
    const next = at === -1 ? all.at(step === 1 ? 0 : -1) : all[at + step]
    next?.focus()
  }
  const byButton = (keys: string, does: string, action: string) => ({
    keys,
    does,
    run: () => press(action),
  })
  return [
    // the help has it from the shell, where it opens a dialog
    ...(mayCall('createInboxItem') ? [{ keys: 'i', run: capture }] : []),
    { keys: 'j', does: 'the next item', run: walk(1) },
    { keys: 'k', does: 'the item before', run: walk(-1) },
    ...(mayCall('turnInboxItem') ? [byButton('t', 'turn it into a mission', 'turn')] : []),
    ...(mayCall('updateInboxItem')
      ? [byButton('d', 'done with it, or open again', 'done'), byButton('e', 'edit it', 'edit')]
      : []),
    ...(mayCall('deleteInboxItem') ? [byButton('Delete', 'delete it', 'delete')] : []),
  ]
}
