import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago, Until } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import styles from './dialogs.module.css'
import { deletedMissions } from './reads.ts'
import { useScene } from './scene.ts'

/** What was deleted comes back with all that went with it, as long as it is kept. */
export function DeletedMissions({ onClose }: { onClose: () => void }) {
  const { project } = useScene().board
  const { rights } = useWorkspace()
  const read = useRead(deletedMissions, { projectId: project.id })
  const restore = useAction('restoreMission', {
    onDone: ({ mission }) => toast(`${mission.displayId} is back in ${mission.status.label}`),
  })
  return (
    <Dialog title="Deleted missions" onClose={onClose}>
      <Shown of={read} rows={1}>
        {({ deleted, nextCursor }) => (
          <>
            {deleted.length === 0 && <p>None that could be restored.</p>}
            <ul className={styles['rows']}>
              {deleted.map(({ id, displayId, title, deletedAt, restorableUntil }) => (
                <li key={id} className={styles['row']}>
                  <span className={styles['what']}>
                    <code>{displayId}</code> <Text>{title}</Text>
                    <span className={styles['quiet']}>
                      deleted <Ago at={deletedAt} />, kept for <Until at={restorableUntil} />
                    </span>
                  </span>
                  {rights.mayCall('restoreMission') && (
                    <Button
                      aria-label={`Restore ${displayId}`}
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
              <p>
                There are more: <code>svc missions list --deleted --project {project.slug}</code>
              </p>
            )}
            <ActionProblem of={restore} />
          </>
        )}
      </Shown>
    </Dialog>
  )
}
