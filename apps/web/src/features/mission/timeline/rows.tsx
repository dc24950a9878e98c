import { memo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { Markdown } from '../../../ui/markdown.tsx'
import { Text } from '../../../ui/text.tsx'
import badge from '../../../ui/badge.module.css'
import { wordsOfEvent } from '../../../words/events.ts'
import { clock, moment as momentWords } from '../../../words/moment.ts'
import { plain } from '../../../words/plain.ts'
import { shortId } from '../wanted.ts'
import type { TimelineRow } from './group.ts'
import type { Line } from './line.ts'
import { type Names, namesIn } from './names.ts'
import styles from './timeline.module.css'

interface RowsProps {
  rows: readonly TimelineRow[]
  known: Names
}

/** All of them are in the document, so that the browser finds in them; `held.ts` keeps them few. */
export function TimelineRows({ rows, known }: RowsProps) {
  return (
    <ol className={styles['rows']} aria-label="What happened, newest first">
      {rows.map((row) => (
        <li key={row.key} data-row={row.key} className={styles[row.kind]}>
          {row.kind === 'day' && <Day at={row.at} />}
          {row.kind === 'line' && <LineRow line={row.line} {...namesIn(row.line, known)} />}
          {row.kind === 'folded' && <Folded lines={row.lines} known={known} />}
        </li>
      ))}
    </ol>
  )
}

function Day({ at }: { at: string }) {
  const day = new Date(at)
  return (
    <time dateTime={at.slice(0, 10)}>
      {day.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' })}
    </time>
  )
}

function Folded({ lines, known }: { lines: readonly Line[]; known: Names }) {
  const [isOpen, open] = useState(false)
  if (!isOpen) {
    return (
      <Button look="bare" onClick={() => open(true)} aria-expanded={false}>
        {lines.length} more of this minute
      </Button>
    )
  }
  return (
    <ol>
      {lines.map((line) => (
        <li key={line.id} className={styles['line']}>
          <LineRow line={line} {...namesIn(line, known)} />
        </li>
      ))}
    </ol>
  )
}

/** Longer ones are shown by their beginning. */
const shownCharacters = 280

interface LineRowProps {
  line: Line
  objective: string | undefined
  person: string | undefined
  agent: string | undefined
}

const LineRow = memo(function LineRow({ line, objective, person, agent }: LineRowProps) {
  const who = person ?? agent
  const { sign, tone, word, isSaid } = wordsOfEvent(line.type, line.outcome)
  const moment = new Date(line.createdAt)
  return (
    <>
      <time className={styles['time']} dateTime={line.createdAt} title={momentWords(moment)}>
        {clock(moment.getTime())}
      </time>
      <span className={`${styles['sign']} ${badge[tone] ?? ''}`} aria-hidden="true">
        {sign}
      </span>
      <div className={styles['what']}>
        {isSaid ? (
          <>
            <span className={styles['who']}>
              {who !== undefined && (
                <strong>
                  <Text>{who}</Text>
                </strong>
              )}{' '}
              {word}
              {line.type.includes(':') && <code>{line.type}</code>} <Objective id={objective} />
            </span>
            <Said>{line.summary}</Said>
          </>
        ) : (
          <>
            <Hidden>{word}: </Hidden>
            <Text>{line.summary}</Text>{' '}
            <span className={styles['quiet']}>
              {!saysObjective(line.summary, objective) && <Objective id={objective} />}
              {person !== undefined && <Text>{person}</Text>}
            </span>
          </>
        )}
      </div>
    </>
  )
})

function saysObjective(summary: string, objective: string | undefined): boolean {
  return objective !== undefined && summary.includes(objective)
}

function Objective({ id }: { id: string | undefined }) {
  return id === undefined ? null : <span className={styles['quiet']}>{shortId(id)} </span>
}

function Said({ children }: { children: string }) {
  const [isWhole, showWhole] = useState(false)
  if (isWhole) return <Markdown>{children}</Markdown>
  const text = plain(children)
  const isLong = text.length > shownCharacters
  return (
    <p className={styles['said']}>
      <Text>{isLong ? `${text.slice(0, shownCharacters).trimEnd()} …` : text}</Text>{' '}
      {isLong && (
        <Button look="bare" className={styles['whole']} onClick={() => showWhole(true)}>
          all of it
        </Button>
      )}
    </p>
  )
}
