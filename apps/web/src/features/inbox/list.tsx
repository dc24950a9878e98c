import type { InboxItem } from '@svc/contracts/inbox-item'
import { Suspense, lazy, useRef, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { loadPart } from '../../ui/load-part.ts'
import type { State } from './asked.ts'
import type { Opening } from './dialogs.tsx'
import { TypedMeanwhile } from '../../ui/typed-meanwhile.tsx'
import styles from './inbox.module.css'
import { inboxKeys } from './keys.ts'
import { ItemRow } from './row.tsx'

// nobody waits for them to see the inbox
const Dialogs = lazy(async () => ({
  default: (await loadPart(() => import('./dialogs.tsx'))).Dialogs,
}))

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
  const keys = inboxKeys({ mayCall: rights.mayCall, rows, capture: onCapture, press })
  // what is typed for a dialog that is on its way is no key
  useKeys(opened ? [] : keys)
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
      {opened && (
        <Suspense fallback={<TypedMeanwhile onGiveUp={() => open(undefined)} />}>
          <Dialogs {...opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
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
