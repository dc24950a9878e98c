import { Text } from '../../ui/text.tsx'
import { Age } from '../../ui/time.tsx'
import type { WallRow } from './rows.ts'
import { useFit } from './use-fit.ts'
import styles from './wall.module.css'

interface ListProps {
  /** The most urgent first. */
  rows: readonly WallRow[]
  /** How many there are besides. */
  beyond: number
}

/** As many as have room, whole; the last line says how many have none. */
export function WallList({ rows, beyond }: ListProps) {
  const { place, fit } = useFit()
  const hasRoom = rows.length <= fit && beyond === 0
  const shown = hasRoom ? rows : rows.slice(0, fit - 1)
  const more = rows.length - shown.length + beyond
  return (
    <div ref={place} className={styles['place']}>
      <ul className={styles['rows']} aria-label="What waits and runs">
        {shown.map((row) => (
          <li key={row.key} className={styles['row']}>
            <Line of={row} />
          </li>
        ))}
        {more > 0 && <li className={`${styles['row']} ${styles['more']}`}>and {more} more</li>}
      </ul>
    </div>
  )
}

function Line({ of: { wording, id, title, detail, since, who } }: { of: WallRow }) {
  return (
    <>
      <span className={`${styles['state']} ${styles[wording.tone] ?? ''}`}>
        <span className={styles['sign']} aria-hidden="true">
          {wording.sign}
        </span>
        <span className={styles['word']}>{wording.word}</span>
      </span>
      <span className={styles['id']}>{id !== undefined && <Text>{id}</Text>}</span>
      <span className={styles['what']}>
        {title !== '' && (
          <span className={styles['title']}>
            <Text>{title}</Text>
          </span>
        )}{' '}
        <span className={styles['detail']}>
          <Text>{detail}</Text>
        </span>
      </span>
      <span className={styles['age']}>
        <Age since={since} />
      </span>
      <span className={styles['who']}>{who !== null && <Text>{who}</Text>}</span>
    </>
  )
}
