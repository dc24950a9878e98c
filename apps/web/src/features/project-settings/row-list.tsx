import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './settings.module.css'

export interface RowParts<R> {
  row: R
  index: number
  change: (more: Partial<R>) => void
  /** Somebody has just asked for it. */
  isNew: boolean
}

interface RowListProps<R> {
  title: string
  /** What one of them is called. */
  what: string
  hint?: ReactNode
  problem?: string | undefined
  rows: readonly R[]
  blank: R
  most: number
  /** By which one row is told from the others. */
  nameOf: (row: R) => string
  /** Their order counts. */
  isOrdered?: boolean
  onChange: (rows: R[]) => void
  children: (parts: RowParts<R>) => ReactNode
}

/** Fields that come as often as somebody wants. */
export function RowList<R>(props: RowListProps<R>) {
  const { title, what, hint, problem, rows, blank, most, nameOf, isOrdered, onChange } = props
  const [added, setAdded] = useState<number>()
  const list = useRef<HTMLFieldSetElement>(null)
  /** The row that was just moved, which the focus goes along with. */
  const moved = useRef<{ to: number; by: 1 | -1 }>(undefined)
  const add = () => {
    setAdded(rows.length)
    onChange([...rows, blank])
  }
  const move = (index: number, by: 1 | -1) => {
    const [row] = rows.slice(index, index + 1)
    if (row === undefined) return
    moved.current = { to: index + by, by }
    announce(`Place ${index + by + 1} of ${rows.length}`)
    onChange(rows.toSpliced(index, 1).toSpliced(index + by, 0, row))
  }
  useLayoutEffect(() => {
    if (moved.current === undefined) return
    const { to, by } = moved.current
    moved.current = undefined
    const buttons = `[data-row="${to}"] [data-move]:enabled`
    const again = list.current?.querySelector<HTMLElement>(`${buttons}[data-move="${by}"]`)
    ;(again ?? list.current?.querySelector<HTMLElement>(buttons))?.focus()
  })
  return (
    <fieldset ref={list} className={styles['group']}>
      <legend>{title}</legend>
      {hint !== undefined && <p className={styles['quiet']}>{hint}</p>}
      {problem !== undefined && (
        <p className={styles['problem']} role="alert">
          <Text>{problem}</Text>
        </p>
      )}
      {rows.map((row, index) => {
        const name = nameOf(row).trim()
        return (
          <fieldset key={index} className={styles['row']} data-row={index}>
            <legend>
              <Hidden>
                {what} <Text>{name === '' ? String(index + 1) : name}</Text>
              </Hidden>
            </legend>
            {props.children({
              row,
              index,
              change: (more) => onChange(rows.with(index, { ...row, ...more })),
              isNew: added === index,
            })}
            <span className={styles['rowActions']}>
              {isOrdered && (
                <>
                  <RowButton icon="up" by={-1} isOff={index === 0} onPress={() => move(index, -1)}>
                    Move up: {what} {index + 1}
                  </RowButton>
                  <RowButton
                    icon="down"
                    by={1}
                    isOff={index === rows.length - 1}
                    onPress={() => move(index, 1)}
                  >
                    Move down: {what} {index + 1}
                  </RowButton>
                </>
              )}
              <RowButton icon="close" onPress={() => onChange(rows.toSpliced(index, 1))}>
                Remove {what} <Text>{name === '' ? String(index + 1) : name}</Text>
              </RowButton>
            </span>
          </fieldset>
        )
      })}
      {rows.length < most && (
        <div>
          <Button onClick={add}>
            <Icon name="plus" /> Add {/^[aeiou]/.test(what) ? 'an' : 'a'} {what}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface RowButtonProps {
  icon: 'up' | 'down' | 'close'
  /** Where it moves its row. */
  by?: 1 | -1
  isOff?: boolean
  onPress: () => void
  children: ReactNode
}

function RowButton({ icon, by, isOff = false, onPress, children }: RowButtonProps) {
  return (
    <Button look="bare" data-move={by} disabled={isOff} onClick={onPress}>
      <Icon name={icon} />
      <Hidden>{children}</Hidden>
    </Button>
  )
}
