import type { Member } from '@svc/contracts/member'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { Shown } from '../../shell/shown.tsx'
import { takeLostFocus } from '../../ui/lost-focus.ts'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { visible } from '../../words/visible.ts'
import { Ends, heldOfMember } from './ends.tsx'
import { memberAccess } from './reads.ts'
import { useFresh } from './use-fresh.ts'

interface RemoveMemberProps {
  member: Member
  onClose: () => void
}

export function RemoveMember({ member: { id, name, email }, onClose }: RemoveMemberProps) {
  const read = useRead(memberAccess, { id })
  useFresh('getMemberAccess')
  const remove = useAction('removeMember', {
    onDone: () => {
      toast(`${name} is removed`)
      onClose()
      // the menu that had the focus goes with its row
      takeLostFocus(() => document.getElementById('main'))
    },
  })
  return (
    <Confirm
      title={`Remove ${visible(name)}`}
      label="Remove from the workspace"
      keep="Keep"
      isDanger
      action={remove}
      onConfirm={() => void remove.send({ id })}
      onClose={onClose}
    >
      <p>
        <Text>{email}</Text> is out at once, and told so on every page that is open. What they did
        stays. Their account and their other workspaces stay, too. This ends:
      </p>
      <Shown of={read} rows={2}>
        {({ ends }) => <Ends held={heldOfMember(ends)} nothing="Nothing but their membership." />}
      </Shown>
    </Confirm>
  )
}
