import type { InboxItem } from '@svc/contracts/inbox-item'
import { useRef, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { useKeys } from '../../shell/use-keys.ts'
import type { State } from './asked.ts'
import { DeleteItem } from './delete-item.tsx'
import { EditItem } from './edit-item.tsx'
import styles from './inbox.module.css'
import { inboxKeys } from './keys.ts'
import { ItemRow, type Opening } from './row.tsx'
import { TurnItem } from './turn-item.tsx'

interface ItemListProps {
  items: readonly InboxItem[]
  state: State
  onCapture: () => void
}

/** The newest first. */
export function ItemList({ items, state, onCapture }: ItemListProps) {
  const { rights } = useWorkspace()
  const list = useRef<HTMLUListElement>(null)
  const [opened, open] = useState<{ what: Opening; item: InboxItem }>()
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
  const press = (action: string) => {
    const row = rows().find((one) => one.contains(document.activeElement))
    const button = row?.querySelector<HTMLButtonElement>(`[data-action="${action}"]:enabled`)
    button?.click()
    return button != null
  }
  useKeys(inboxKeys({ mayCall: rights.mayCall, rows, capture: onCapture, press }))
  const close = () => open(undefined)
  return (
    <>
      {items.length === 0 ? (
        <Empty state={state} />
      ) : (
        <ul ref={list} className={styles['rows']} aria-label="Inbox items">
          {items.map((item) => (
            <ItemRow key={item.id} item={item} onOpen={(what) => open({ what, item })} />
          ))}
        </ul>
      )}
      {/* also of one that others have taken out of the list meanwhile: what is written of it stays */}
      {opened?.what === 'turn' && <TurnItem item={opened.item} onClose={close} />}
      {opened?.what === 'edit' && <EditItem item={opened.item} onClose={close} />}
      {opened?.what === 'delete' && <DeleteItem item={opened.item} onClose={close} />}
    </>
  )
}

function Empty({ state }: { state: State }) {
  const { rights } = useWorkspace()
  if (state === 'turned') return <p>No item was turned into a mission yet.</p>
  if (!rights.mayCall('createInboxItem')) return <p>There is nothing in your inbox.</p>
  return (
    <p>
      There is nothing in your inbox. What comes to mind is noted down here, and from any page by
      the key i; an agent of yours notes down what it finds by the way.
    </p>
  )
}
