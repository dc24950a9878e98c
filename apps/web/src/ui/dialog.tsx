import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { Hidden } from './hidden.tsx'
import { Icon } from './icon.tsx'
import { DialogRegion } from './live-regions.tsx'

export interface DialogProps {
  title: string
  /** By Escape, by its button, or by one of its actions; the focus goes back to where it was. */
  onClose: () => void
  children: ReactNode
  /** Takes the whole height on a phone. */
  isSheet?: boolean
}

/** The browser's own: what is behind it takes neither focus nor keys, and it needs nothing that has to be loaded. */
export function Dialog({ title, onClose, children, isSheet = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // closed while it is still in the page: one that has left it gives the focus back to nobody
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // not the button that closes: a dialog may come up in the middle of a sentence, whose next space would press it
    const field = shown?.querySelector<HTMLElement>('input, select, textarea')
    ;(field ?? shown)?.focus()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={heading}
      className={[styles['dialog'], isSheet && styles['sheet']].filter(Boolean).join(' ')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // a second Escape closes it whatever the page says
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
    >
      <div className={styles['head']}>
        <h2 id={heading}>{title}</h2>
        <Button look="bare" onClick={onClose}>
          <Icon name="close" />
          <Hidden>Close</Hidden>
        </Button>
      </div>
      {children}
      <DialogRegion />
    </dialog>
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}

/** In place of a dialog about what others have just taken away: it is closed, and does not come up again when that comes back. */
export function Gone({ onClose }: Pick<DialogProps, 'onClose'>) {
  useEffect(() => onClose())
  return null
}
