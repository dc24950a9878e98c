import type { Member } from '@svc/contracts/member'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { visible } from '../../words/visible.ts'
import { AccessProblem } from './access-problem.tsx'
import { RoleSelect } from './role-select.tsx'

interface ChangeRoleProps {
  member: Member
  onClose: () => void
}

export function ChangeRole({ member: { id, name, role: before }, onClose }: ChangeRoleProps) {
  const { me } = useWorkspace()
  const [role, choose] = useState(before)
  const update = useAction('updateMember', {
    onDone: ({ member }) => {
      toast(`${member.name} is ${member.role} now`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (role === before) onClose()
    else void update.send({ id, role })
  }
  return (
    <Dialog title={`The role of ${visible(name)}`} onClose={onClose}>
      <form onSubmit={submit}>
        <RoleSelect value={role} onChoose={choose} />
        <p>
          {id === me.user.id
            ? 'This is your own role: what it gives no more goes at once.'
            : 'It counts from their next click on, also on pages that they have open, and for their tokens.'}
        </p>
        <AccessProblem of={update} onMembers={onClose} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={update.state.name === 'sending'}>
            Change the role
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
