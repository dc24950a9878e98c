import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Text } from '../../ui/text.tsx'
import { visible } from '../../words/visible.ts'
import { AccessProblem } from './access-problem.tsx'
import { Ends, heldOfMember } from './ends.tsx'
import { memberAccess } from './reads.ts'
import { useFresh } from './use-fresh.ts'

/** One's own membership ends; who comes back needs an invitation. */
export function Leave({ onClose }: { onClose: () => void }) {
  const { me, slug } = useWorkspace()
  const read = useRead(memberAccess, { id: me.user.id })
  useFresh('getMemberAccess')
  const leave = useAction('leaveWorkspace', { onDone: () => location.assign('/') })
  const { name } = me.workspace
  return (
    <Dialog title={`Leave ${visible(name)}`} onClose={onClose}>
      <p>
        You are out of <Text>{name}</Text> at once, and come back by an invitation alone. What you
        did stays. This ends:
      </p>
      <Shown of={read} rows={2}>
        {({ ends }) => <Ends held={heldOfMember(ends)} nothing="Nothing but your membership." />}
      </Shown>
      <AccessProblem of={leave} onMembers={onClose} />
      <DialogActions>
        <Button onClick={onClose}>Stay</Button>
        <Button
          look="danger"
          disabled={leave.state.name === 'sending'}
          onClick={() => void leave.send({ workspace: slug })}
        >
          Leave the workspace
        </Button>
      </DialogActions>
    </Dialog>
  )
}
