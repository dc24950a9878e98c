import { type KeyboardEvent, type ReactNode } from 'react'
import styles from './tabs.module.css'

export interface Tab<K extends string> {
  key: K
  text: ReactNode
}

interface TabListProps<K extends string> {
  /** Of the document: its panels have ids that begin with it. */
  id: string
  label: string
  tabs: readonly Tab<K>[]
  chosen: K
  onChoose: (key: K) => void
}

/** The names of parts of a page of which one is shown; arrows go from one to the next. */
export function TabList<K extends string>({ id, label, tabs, chosen, onChoose }: TabListProps<K>) {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = tabs.findIndex(({ key }) => key === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    event.preventDefault()
    onChoose(next.key)
    document.getElementById(`${id}-${next.key}`)?.focus()
  }
  return (
    <div className={styles['tabs']} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ key, text }) => (
        <button
          key={key}
          id={`${id}-${key}`}
          type="button"
          role="tab"
          className={styles['tab']}
          aria-selected={key === chosen}
          aria-controls={`${id}-${key}-panel`}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

interface TabPanelProps {
  /** Of the list of tabs. */
  id: string
  tab: string
  /** Undefined where all parts are shown, and there are no tabs. */
  chosen: string | undefined
  children: ReactNode
}

/** A part of a page, which stays as it is while another one is shown. */
export function TabPanel({ id, tab, chosen, children }: TabPanelProps) {
  if (chosen === undefined) return <div>{children}</div>
  return (
    <div
      id={`${id}-${tab}-panel`}
      role="tabpanel"
      aria-labelledby={`${id}-${tab}`}
      hidden={tab !== chosen}
    >
      {children}
    </div>
  )
}
