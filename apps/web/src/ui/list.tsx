import type { ReactNode } from 'react'
import styles from './list.module.css'

export interface RowsProps<T> {
  label: string
  items: readonly T[]
  keyOf: (item: T) => string
  children: (item: T) => ReactNode
}

/** Rows of a list that is short enough to be in the document as a whole. */
export function Rows<T>({ label, items, keyOf, children }: RowsProps<T>) {
  return (
    <ul className={styles['rows']} aria-label={label}>
      {items.map((item) => (
        <li key={keyOf(item)} className={styles['row']}>
          {children(item)}
        </li>
      ))}
    </ul>
  )
}
