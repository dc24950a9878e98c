import type { MissionBranch } from '@svc/contracts/assigned-branches'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago, Until } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { Artifacts } from './artifacts.tsx'
import styles from './more.module.css'
import { deletedObjectives } from './reads.ts'
import { useScene } from './scene.ts'
import { SharedState } from './shared-state.tsx'
import { shortId } from './wanted.ts'

/** What the mission keeps next to its objectives; each part is read when it is opened. */
export function More() {
  const { artifacts, branches, mission } = useScene().shown
  return (
    <div className={styles['more']}>
      <Fold summary={`Artifacts ${artifacts.length}`}>
        <Artifacts />
      </Fold>
      <Fold summary="Shared state">
        <SharedState missionId={mission.id} />
      </Fold>
      <Fold summary={`Branches ${branches.length}`}>
        <Branches branches={branches} />
      </Fold>
      <div data-action="deleted">
        <Fold summary="Deleted objectives">
          <Deleted />
        </Fold>
      </div>
    </div>
  )
}

function Branches({ branches }: { branches: readonly MissionBranch[] }) {
  if (branches.length === 0) return <p>No run has prepared a branch yet.</p>
  return (
    <ul className={styles['rows']}>
      {branches.map((branch) => (
        <li key={`${branch.resourceKey} ${branch.branch}`}>
          <span>
            <Icon name="branch" />{' '}
            <code>
              <Text>{branch.branch}</Text>
            </code>{' '}
            → <Text>{branch.baseBranch}</Text>
          </span>
          <span className={styles['quiet']}>
            <Text>{branch.resourceKey}</Text>
            {branch.objective !== null && <> · {shortId(branch.objective)}</>} · at{' '}
            {branch.lastSha.slice(0, 8)} on <Text>{branch.runnerLabel}</Text>,{' '}
            <Ago at={branch.updatedAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Deleted() {
  const { shown } = useScene()
  const { rights } = useWorkspace()
  const read = useRead(deletedObjectives, { id: shown.mission.id })
  const restore = useAction('restoreObjective', {
    onDone: ({ objective }) => toast(`${objective.displayId} is back`),
  })
  return (
    <Shown of={read} rows={1}>
      {({ deleted, nextCursor }) => (
        <>
          {deleted.length === 0 && <p>None that could be restored.</p>}
          <ul className={styles['rows']}>
            {deleted.map(({ id, displayId, title, deletedAt, restorableUntil }) => (
              <li key={id}>
                <span>
                  <code>{shortId(displayId)}</code> <Text>{title}</Text>
                </span>
                <span className={styles['quiet']}>
                  deleted <Ago at={deletedAt} />, kept for <Until at={restorableUntil} />
                </span>
                {rights.mayCall('restoreObjective') && (
                  <Button
                    disabled={restore.state.name === 'sending'}
                    onClick={() => void restore.send({ id })}
                  >
                    Restore
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {nextCursor !== undefined && (
            <p className={styles['quiet']}>
              There are more: <code>svc objectives list {shown.mission.displayId} --deleted</code>
            </p>
          )}
          <ActionProblem of={restore} />
        </>
      )}
    </Shown>
  )
}
