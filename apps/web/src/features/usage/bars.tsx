import styles from './bars.module.css'
import { type Measure, partsOf } from './bars.ts'
import { endWords, type Sum } from './sums.ts'

const partWords = {
  ...endWords,
  cost: 'cost in $',
  untold: 'runs whose cost was not told by the tool',
}

export interface Bar {
  key: string
  name: string
  sum: Sum
}

interface BarsProps {
  /** What a screen reader says of it; the numbers are in the table next to it. */
  label: string
  bars: readonly Bar[]
  measure: Measure
  /** What the longest bar stands for. */
  most: number
}

const step = 10
const thick = 8
const long = 100

/** Bars that stand next to each other, as wide as there is room. */
export function Columns({ label, bars, measure, most }: BarsProps) {
  return (
    <svg
      className={styles['columns']}
      viewBox={`0 0 ${Math.max(1, bars.length) * step} ${long}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      data-measure={measure}
    >
      {bars.map(({ key, name, sum }, index) => (
        <g key={key} data-bar={key}>
          <title>{describe(name, sum, measure, most)}</title>
          {partsOf(sum, measure, most).map(({ of, value, from, length }) => (
            <rect
              key={of}
              className={styles[of]}
              data-of={of}
              data-value={value}
              x={index * step + 1}
              width={thick}
              y={long - from - length}
              height={length}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** One bar that lies in the row of a table, which says its numbers. */
export function Lying({ sum, measure, most }: Pick<BarsProps, 'measure' | 'most'> & { sum: Sum }) {
  return (
    <svg
      className={styles['lying']}
      viewBox={`0 0 ${long} ${step}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-measure={measure}
    >
      {partsOf(sum, measure, most).map(({ of, value, from, length }) => (
        <rect
          key={of}
          className={styles[of]}
          data-of={of}
          data-value={value}
          x={from}
          width={length}
          y={0}
          height={step}
        />
      ))}
    </svg>
  )
}

function describe(name: string, sum: Sum, measure: Measure, most: number): string {
  const parts = partsOf(sum, measure, most).map(({ of, value }) => `${value} ${partWords[of]}`)
  return `${name}: ${parts.length === 0 ? 'nothing' : parts.join(', ')}`
}

/** What each part of a bar means. */
export function Legend({ of }: { of: readonly (keyof typeof partWords)[] }) {
  return (
    <ul className={styles['legend']} aria-label="What the bars show">
      {of.map((part) => (
        <li key={part}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect className={styles[part]} width={10} height={10} />
          </svg>
          {partWords[part]}
        </li>
      ))}
    </ul>
  )
}
