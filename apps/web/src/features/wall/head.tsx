import { useSyncExternalStore } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { LiveMark } from '../../shell/live-mark.tsx'
import { Text } from '../../ui/text.tsx'
import { tick } from '../../ui/tick.ts'
import { clock } from '../../words/moment.ts'
import type { Counted } from './numbers.ts'
import styles from './wall.module.css'

interface HeadProps {
  projects: readonly string[] | undefined
  /** Undefined until they are known. */
  numbers: readonly Counted[] | undefined
}

/** Whose wall it is, the time, and how much there is of everything. */
export function Head({ projects, numbers }: HeadProps) {
  const { me } = useWorkspace()
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  return (
    <header className={styles['head']}>
      <h1 className={styles['name']}>
        <Text>{me.workspace.name}</Text>
        {projects && (
          <span className={styles['projects']}>
            {' '}
            <Text>{projects.join(', ')}</Text>
          </span>
        )}
      </h1>
      <time className={styles['clock']} dateTime={new Date(now).toISOString()}>
        {clock(now)}
      </time>
      {numbers && (
        <ul className={styles['numbers']} aria-label="How much there is">
          {numbers.map(({ text, of }) => (
            <li key={of}>
              <b>{text}</b> {of}
            </li>
          ))}
        </ul>
      )}
      <span className={styles['mark']}>
        <LiveMark />
      </span>
    </header>
  )
}
