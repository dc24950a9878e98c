import type { InboxItem } from '@svc/contracts/inbox-item'
import { DeleteItem } from './delete-item.tsx'
import { EditItem } from './edit-item.tsx'
import { TurnItem } from './turn-item.tsx'

export type Opening = 'turn' | 'edit' | 'delete'

interface DialogsProps {
  /** Also one that others have taken out of the list meanwhile: what is written of it stays. */
  item: InboxItem
  what: Opening
  onClose: () => void
}

/** What is open over the inbox. */
export function Dialogs({ item, what, onClose }: DialogsProps) {
  if (what === 'turn') return <TurnItem item={item} onClose={onClose} />
  if (what === 'edit') return <EditItem item={item} onClose={onClose} />
  return <DeleteItem item={item} onClose={onClose} />
}
