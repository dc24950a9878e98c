import { useEffect, useRef } from 'react'
import { useAction } from '../../data/actions.ts'
import { defineRead, usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago, Until } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import styles from './delete.module.css'

const deletedMissions = defineRead({
  operation: 'listDeletedMissions',
  touchedBy: ({ entity, operation, projectId }, request) =>
    entity === 'mission' &&
    (request.projectId === undefined || projectId === request.projectId) &&
    ['delete', 'restore'].includes(operation),
})

interface DeletedMissionsProps {
  /** Of all projects where none is named. */
  projectId?: string
  /** The one that somebody is about to restore, by its display id or UUID. */
  asked?: string | undefined
  onClose: () => void
}

/** What was deleted comes back with all that went with it, as long as it is kept. */
export function DeletedMissions({ projectId, asked, onClose }: DeletedMissionsProps) {
  const { rights } = useWorkspace()
  const list = useRef<HTMLUListElement>(null)
  const read = usePages(deletedMissions, projectId === undefined ? {} : { projectId })
  const restore = useAction('restoreMission', {
    onDone: ({ mission }) => toast(`${mission.displayId} is back in ${mission.status.label}`),
  })
  const isThere = read.data !== undefined
  useEffect(() => {
    if (isThere && asked !== undefined) {
      list.current?.querySelector<HTMLButtonElement>('[data-asked] button')?.focus()
    }
  }, [isThere, asked])
  return (
    <Dialog title="Deleted missions" onClose={onClose}>
      <Shown of={read} rows={1}>
        {({ pages }) => {
          const deleted = pages.flatMap((page) => page.deleted)
          return (
            <>
              {deleted.length === 0 && <p>None that could be restored.</p>}
              <ul ref={list} className={styles['rows']}>
                {deleted.map(({ id, displayId, title, deletedAt, restorableUntil }) => (
                  <li
                    key={id}
                    className={styles['row']}
                    data-asked={[id, displayId].includes(asked ?? '') || undefined}
                  >
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
              {read.hasNextPage && (
                <Button
                  disabled={read.isFetchingNextPage}
                  onClick={() => void read.fetchNextPage()}
                >
                  More
                </Button>
              )}
              <ActionProblem of={restore} />
            </>
          )
        }}
      </Shown>
    </Dialog>
  )
}
