import type { InboxItem } from '@svc/contracts/inbox-item'
import { useAction } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'

/** What cannot be taken back is said before it is done. */
export function DeleteItem({ item, onClose }: { item: InboxItem; onClose: () => void }) {
  const remove = useAction('deleteInboxItem', {
    onDone: () => {
      toast('The item is deleted')
      onClose()
    },
  })
  return (
    <Dialog title="Delete the item" onClose={onClose}>
      <p>
        <strong>
          <Text>{item.title}</Text>
        </strong>
      </p>
      <p>It cannot be restored.{item.mission !== null && ' The mission that it became stays.'}</p>
      <ActionProblem of={remove} />
      <DialogActions>
        <Button onClick={onClose}>Keep</Button>
        <Button
          look="danger"
          disabled={remove.state.name === 'sending'}
          onClick={() => void remove.send({ id: item.id })}
        >
          Delete it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
