import { type KeyboardEvent, type ReactNode, useId } from 'react'
import styles from './tabs.module.css'

export interface Tab<K extends string> {
  key: K
  text: ReactNode
}

interface TabsProps<K extends string> {
  label: string
  tabs: readonly Tab<K>[]
  chosen: K
  onChoose: (key: K) => void
  /** Of the chosen one. */
  children: ReactNode
}

/** Parts of a page of which one is shown; arrows go from one to the next. */
export function Tabs<K extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<K>) {
  const id = useId()
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
    <>
      <div className={styles['tabs']} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ key, text }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            className={styles['tab']}
            aria-selected={key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => onChoose(key)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
