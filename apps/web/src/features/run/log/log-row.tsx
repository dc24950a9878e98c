import { memo } from 'react'
import { Link } from '../../../shell/link.tsx'
import { pathTo } from '../../../shell/routes.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { visible } from '../../../words/visible.ts'
import { type Look, markedSpans, spansOf } from './ansi.ts'
import styles from './log.module.css'

interface LogRowProps {
  run: string
  start: number
  /** Of its line; undefined where it is not known. */
  number: number | undefined
  /** Bytes that are not kept. */
  gap: number | undefined
  isContinued: boolean
  text: string
  term: string
  isCurrent: boolean
}

/** A line, or a part of a long one. Its number leads to just this place. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { run, start, number, gap, isContinued, text, term, isCurrent } = props
  if (gap !== undefined) {
    return (
      <p className={styles['gap']}>… {gap.toLocaleString('en')} bytes of output are not kept …</p>
    )
  }
  const place = number === undefined ? `@${start}` : String(number)
  return (
    <div className={styles['row']} data-current={isCurrent || undefined} data-offset={start}>
      <Link
        to={pathTo('run', { run }, { at: String(start) })}
        className={styles['number']}
        tabIndex={isCurrent ? 0 : -1}
        replace
      >
        <Hidden>{number === undefined ? 'From byte ' : 'Line '}</Hidden>
        {isContinued && number === undefined ? '↪' : place}
      </Link>
      <bdi className={styles['text']}>
        <Spans text={text} term={term} />
      </bdi>
    </div>
  )
})

function Spans({ text, term }: { text: string; term: string }) {
  return markedSpans(spansOf(text), term).map((span, index) => {
    const shown = visible(span.text)
    const className = classOf(span.look)
    if (span.isFound) {
      return (
        <mark key={index} className={className}>
          {shown}
        </mark>
      )
    }
    return className === undefined ? (
      shown
    ) : (
      <span key={index} className={className}>
        {shown}
      </span>
    )
  })
}

const marks = ['isBold', 'isFaint', 'isItalic', 'isUnderlined', 'isStruck'] as const

/** Undefined for what looks as any text does. */
function classOf(look: Look): string | undefined {
  const [text, ground] = look.isInverse
    ? [look.ground, look.text ?? 'grey']
    : [look.text, look.ground]
  const names = [
    // what stands on a colour has the colour of text, so that it can be read
    ground === undefined ? text : `on-${ground}`,
    ...marks.filter((mark) => look[mark] && (mark !== 'isFaint' || ground === undefined)),
  ]
  const classes = names.flatMap((name) => (name === undefined ? [] : [styles[name]]))
  return classes.length === 0 ? undefined : classes.join(' ')
}
