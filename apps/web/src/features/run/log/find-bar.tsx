import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { announce } from '../../../ui/announce.ts'
import { Button } from '../../../ui/button.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Text } from '../../../ui/text.tsx'
import type { Finding } from './finding.ts'
import styles from './log.module.css'

interface FindBarProps {
  finding: Finding
  current: number | undefined
  onFind: (term: string) => void
  onGo: (way: 'older' | 'newer') => void
  onClose: () => void
}

const waitMs = 300
const mostCharacters = 200

/** A word in the whole log, what is on screen of it or not: the browser's own search finds only that. */
export function FindBar({ finding, current, onFind, onGo, onClose }: FindBarProps) {
  const id = useId()
  const [term, setTerm] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => onFind(term), waitMs)
    return () => clearTimeout(timer)
    // it is looked for when it is typed, and not when the log grows
    // oxlint-disable-next-line react/exhaustive-deps
  }, [term])
  const said = wordsOf(finding, current)
  useEffect(() => {
    if (finding.state === 'done' || finding.state === 'cut') announce(said)
  }, [finding.state, said])
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter') return
    event.preventDefault()
    onGo(event.shiftKey ? 'newer' : 'older')
  }
  return (
    <search className={styles['find']}>
      <label htmlFor={id}>
        <Hidden>Find in this log</Hidden>
      </label>
      <input
        id={id}
        type="search"
        data-action="find"
        placeholder="Find in this log"
        // it was opened to be typed into
        autoFocus
        value={term}
        maxLength={mostCharacters}
        onChange={(event) => setTerm(event.target.value)}
        onKeyDown={press}
      />
      <Button disabled={finding.hits.length === 0} onClick={() => onGo('older')}>
        <Icon name="up" />
        <Hidden>Found before</Hidden>
      </Button>
      <Button disabled={finding.hits.length === 0} onClick={() => onGo('newer')}>
        <Icon name="down" />
        <Hidden>Found after</Hidden>
      </Button>
      <span className={styles['found']}>{said !== '' && <Text>{said}</Text>}</span>
      <Button look="bare" onClick={onClose}>
        <Icon name="close" />
        <Hidden>Close the search</Hidden>
      </Button>
    </search>
  )
}

function wordsOf({ state, hits, part, message }: Finding, current: number | undefined): string {
  if (state === 'idle') return ''
  if (state === 'failed') return `The search ended: ${message}`
  const at = current === undefined ? -1 : hits.indexOf(current)
  const place = at === -1 ? '' : `${(at + 1).toLocaleString('en')} of `
  const count = `${place}${hits.length.toLocaleString('en')} found`
  if (state === 'looking') return `${count}, ${Math.floor(part * 100)} % looked through`
  return state === 'cut' ? `the last ${count}; there are more` : count
}
