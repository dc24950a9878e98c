import { type ReactNode, Suspense, lazy, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { loadPart } from './load-part.ts'

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

const load = () => import('./menu-parts.tsx')
const MenuParts = lazy(async () => ({ default: (await loadPart(load)).MenuParts }))

/** Fetched when nothing else is to be done, so that the first menu opens at once. */
export function preloadMenus(): void {
  void load().catch(() => undefined)
}

/** A button that opens a menu: arrows, letters and Escape as everywhere. */
export function Menu(props: MenuProps) {
  const [isWanted, want] = useState(false)
  const button = (
    <Button
      look={props.look ?? 'bare'}
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      data-action={props.action}
      tabIndex={props.tabIndex}
      onClick={() => want(true)}
    >
      {props.trigger}
    </Button>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <MenuParts {...props} />
    </Suspense>
  )
}
