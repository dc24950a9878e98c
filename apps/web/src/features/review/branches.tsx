import type { Mission } from '@svc/contracts/mission'
import { isClosed } from '../../data/states.ts'
import { CallerChoice } from '../../parts/first-run/caller-choice.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './review.module.css'
import { type Branch, hasCommits, reviewCommand } from './story.ts'
import { Part } from './story-parts.tsx'

/** Where the work is, and how one gets at it with Git: whether it is merged is known where its repositories are. */
export function Branches({ of, branches }: { of: Mission; branches: readonly Branch[] }) {
  const mission = of.displayId
  const shown = branches.filter(hasCommits)
  return (
    <Part title={shown.length > 1 ? 'Branches' : 'Branch'}>
      {shown.length === 0 && (
        <p className={styles['quiet']}>No run has left a commit: there is nothing to merge.</p>
      )}
      {shown.length > 0 && <CallerChoice />}
      {shown.map((one) => (
        <div key={`${one.resourceKey} ${one.branch}`} className={styles['branch']}>
          <p>
            <code>
              <Text>{one.branch}</Text>
            </code>{' '}
            <span aria-hidden="true">→</span>
            <span className={styles['quiet']}> into </span>
            <code>
              <Text>{one.baseBranch}</Text>
            </code>
          </p>
          <p className={styles['quiet']}>
            {one.objective !== null && (
              <>
                Of <Text>{one.objective}</Text>.{' '}
              </>
            )}
            In <Text>{one.resourceKey}</Text>, on runner <Text>{one.runnerLabel}</Text> at{' '}
            <code>{one.lastSha.slice(0, 12)}</code>, <Ago at={one.updatedAt} />.
          </p>
          <CopyCommand command={reviewCommand(mission, one, branches)} />
          <CopyCommand command={`${reviewCommand(mission, one, branches)} --merge`} />
        </div>
      ))}
      {shown.length > 0 && isClosed(of.phase) && (
        <>
          <p className={styles['quiet']}>
            Whether they are merged is known where the repository is, and is not shown here. This
            removes there those that are merged, with their worktrees:
          </p>
          <CopyCommand command={`svc branches remove ${mission}`} />
        </>
      )}
    </Part>
  )
}
