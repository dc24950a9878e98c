import type { InboxItem } from '@svc/contracts/inbox-item'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { byMeans } from '../../words/inbox.ts'
import type { Opening } from './dialogs.tsx'
import styles from './inbox.module.css'
import { Outcome } from './outcome.tsx'

/** So much is read at a glance. */
const foldedFrom = 600

export function ItemRow({ item, onOpen }: { item: InboxItem; onOpen: (what: Opening) => void }) {
  const { title, text, createdAt, notedBy } = item
  const by = byMeans(notedBy)
  return (
    <li className={styles['row']} data-item={item.id} tabIndex={-1}>
      <article className={styles['item']} aria-label={title}>
        <p className={styles['head']}>
          <strong className={styles['title']}>
            <Text>{title}</Text>
          </strong>
          <span className={styles['quiet']}>
            {by !== undefined && <>noted by {by} · </>}
            <Ago at={createdAt} />
          </span>
        </p>
        {text !== null && text.trim() !== '' && <Noted text={text} />}
        <Outcome of={item} />
        <Actions item={item} onOpen={onOpen} />
      </article>
    </li>
  )
}

function Noted({ text }: { text: string }) {
  if (text.length < foldedFrom) return <Markdown>{text}</Markdown>
  return (
    <Fold summary="Its text">
      <Markdown>{text}</Markdown>
    </Fold>
  )
}

/** What somebody may do with it by now. */
function Actions({ item, onOpen }: { item: InboxItem; onOpen: (what: Opening) => void }) {
  const { rights } = useWorkspace()
  const isOpen = item.doneAt === null
  const update = useAction('updateInboxItem', {
    onDone: ({ inboxItem }) =>
      toast(inboxItem.doneAt === null ? 'It is open again' : 'Done with it'),
  })
  const mayUpdate = rights.mayCall('updateInboxItem')
  const mayTurn = rights.mayCall('turnInboxItem') && item.turned === null
  return (
    <>
      <div className={styles['actions']}>
        {mayTurn && (
          <Button data-action="turn" onClick={() => onOpen('turn')}>
            Turn into a mission …
          </Button>
        )}
        {mayUpdate && (isOpen || item.turned === null) && (
          <Button
            data-action="done"
            disabled={update.state.name === 'sending'}
            onClick={() => void update.send({ id: item.id, done: isOpen })}
          >
            {isOpen ? 'Done' : 'Open again'}
          </Button>
        )}
        {mayUpdate && (
          <Button data-action="edit" look="bare" onClick={() => onOpen('edit')}>
            Edit
          </Button>
        )}
        {rights.mayCall('deleteInboxItem') && (
          <Button data-action="delete" look="bare" onClick={() => onOpen('delete')}>
            Delete
          </Button>
        )}
      </div>
      <ActionProblem of={update} />
    </>
  )
}
