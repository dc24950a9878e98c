import type { InboxItem } from '@svc/contracts/inbox-item'
import { IdLink } from '../../shell/link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Ago } from '../../ui/time.tsx'
import { byMeans } from '../../words/inbox.ts'
import styles from './inbox.module.css'

/** What became of it, with who did that; nothing as long as it is open. */
export function Outcome({ of: { mission, turned, doneAt } }: { of: InboxItem }) {
  const by = byMeans(turned?.by)
  if (turned !== null) {
    return (
      <p className={styles['outcome']}>
        <Icon name="check" />{' '}
        {mission === null ? (
          'It became a mission that is deleted, or not yours to see'
        ) : (
          <>
            It became <IdLink id={mission.displayId} />
          </>
        )}
        {by !== undefined && <>, by {by}</>} · <Ago at={turned.at} />
      </p>
    )
  }
  if (doneAt === null) return null
  return (
    <p className={styles['outcome']}>
      <Icon name="check" /> Done · <Ago at={doneAt} />
    </p>
  )
}
