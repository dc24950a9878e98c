import type { ReactNode } from 'react'
import { columns, type Sum } from './sums.ts'
import styles from './usage.module.css'

export interface TableRow {
  key: string
  /** A cell for each of the heads. */
  heads: readonly ReactNode[]
  sum: Sum
  /** What is drawn of it. */
  bars?: ReactNode
}

interface SumTableProps {
  label: string
  heads: readonly string[]
  rows: readonly TableRow[]
}

/** Sums in numbers. It is wider than a phone, so that it scrolls by itself, also by keys. */
export function SumTable({ label, heads, rows }: SumTableProps) {
  const hasBars = rows.some(({ bars }) => bars !== undefined)
  return (
    <div className={styles['scroll']} role="group" aria-label={label} tabIndex={0}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {hasBars && <td />}
            {columns.map(({ key, title }) => (
              <th key={key} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, heads: cells, sum, bars }) => (
            <tr key={key} data-row={key}>
              {cells.map((cell, index) => (
                <th key={heads[index]} scope="row">
                  {cell}
                </th>
              ))}
              {hasBars && <td>{bars}</td>}
              {columns.map((column) => (
                <td key={column.key} data-cell={column.key}>
                  {column.say(sum)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
