import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button, type ButtonProps } from './button.tsx'
import { Hidden } from './hidden.tsx'
import { Icon } from './icon.tsx'
import { type Typed, keyInMenu } from './key-in-menu.ts'
import styles from './menu.module.css'
import { usePlaceBelow } from './use-place-below.ts'

export interface MenuItem {
  key: string
  text: ReactNode
  /** Leads to another page of the service. */
  href?: string
  onChoose?: () => void
  /** By whose letters it is found, where its text begins with a sign. */
  word?: string
  /** It is what stands now. */
  isCurrent?: boolean
}

export interface MenuProps {
  /** Says what the menu is of, where its button shows less. */
  label: string
  trigger: ReactNode
  items: readonly MenuItem[]
  look?: ButtonProps['look']
  /** By which a key of the page finds its button. */
  action?: string
  /** -1 where arrows go to it, and the Tab key passes it by. */
  tabIndex?: number
}

/** A button that opens a menu: arrows, letters and Escape as everywhere. */
export function Menu({ label, trigger, items, look = 'bare', action, tabIndex }: MenuProps) {
  const [opened, setOpened] = useState<'by-keys' | 'by-pointer'>()
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    // while the menu is there: what it opens gives the focus back to where it was
    button.current?.focus({ preventScroll: true })
    setOpened(undefined)
  }
  return (
    <>
      <Button
        ref={button}
        look={look}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened !== undefined}
        data-action={action}
        tabIndex={tabIndex}
        // a key clicks without a count
        onClick={({ detail }) => setOpened(detail === 0 ? 'by-keys' : 'by-pointer')}
      >
        {trigger}
      </Button>
      {opened && (
        <Opened
          label={label}
          items={items}
          isByKeys={opened === 'by-keys'}
          button={button}
          onClose={close}
          onLeave={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

interface OpenedProps {
  label: string
  items: readonly MenuItem[]
  isByKeys: boolean
  button: { current: HTMLElement | null }
  onClose: () => void
  /** The focus has gone elsewhere, and stays there. */
  onLeave: () => void
}

/** In the body, so that nothing cuts it off. What is around it closes it, and is not pressed by that. */
function Opened({ label, items, isByKeys, button, onClose, onLeave }: OpenedProps) {
  const menu = useRef<HTMLDivElement>(null)
  const typed = useRef<Typed>(undefined)
  usePlaceBelow(menu, button, isByKeys)
  return createPortal(
    <>
      <div
        className={styles['around']}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onClose}
      />
      <div
        ref={menu}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={styles['popup']}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) onLeave()
        }}
        onKeyDown={(event) => {
          const move = keyInMenu(event, rowsOf(event.currentTarget), typed)
          if (move === undefined) return
          // the Tab key goes on from the button
          if (event.key !== 'Tab') event.preventDefault()
          if (move === 'close') onClose()
          else move.focus()
        }}
      >
        {items.map((item) => (
          <Row key={item.key} item={item} onClose={onClose} />
        ))}
      </div>
    </>,
    document.body,
  )
}

function Row({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const { text, href, onChoose, word, isCurrent } = item
  const props = {
    role: 'menuitem',
    tabIndex: -1,
    className: styles['item'],
    'data-word': word,
    onPointerMove: ({ currentTarget }: { currentTarget: HTMLElement }) => currentTarget.focus(),
    onClick: () => {
      onClose()
      onChoose?.()
    },
  }
  const children = (
    <>
      {text}
      {isCurrent && (
        <span className={styles['current']}>
          <Icon name="check" />
          <Hidden>as it is now</Hidden>
        </span>
      )}
    </>
  )
  if (href !== undefined) {
    // a browser follows a link by Enter alone, and a row of a menu is chosen by the space bar as well
    const press = (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== ' ') return
      event.preventDefault()
      event.currentTarget.click()
    }
    return (
      <a href={href} {...props} onKeyDown={press}>
        {children}
      </a>
    )
  }
  return (
    <button type="button" {...props}>
      {children}
    </button>
  )
}

const rowsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]
