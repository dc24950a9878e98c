import type { Member } from '@svc/contracts/member'
import type { RouteOutput } from '@svc/contracts/rest'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { SecretOnce } from '../../parts/secret/secret-once.tsx'
import { Text } from '../../ui/text.tsx'
import { GoodFor } from '../../ui/time.tsx'
import { visible } from '../../words/visible.ts'
import { Ends, heldOfAccount } from './ends.tsx'

interface ResetLinkProps {
  member: Member
  onClose: () => void
}

/** For somebody who has lost their password, or their account to somebody else. */
export function ResetLink({ member: { id, name, email }, onClose }: ResetLinkProps) {
  const [made, setMade] = useState<RouteOutput<'createResetLink'>>()
  const create = useAction('createResetLink', { onDone: setMade })
  if (made) {
    return (
      <SecretOnce
        title="The link, shown this once"
        secret={made.link}
        what="the link"
        onKept={onClose}
      >
        <p>
          Hand it to <Text>{email}</Text> alone: whoever opens it sets a new password. It works
          once, and is <GoodFor at={made.expiresAt} />. Once it is used, this ends for them:
        </p>
        <Ends held={heldOfAccount(made.ends)} nothing="Nothing but their password." />
      </SecretOnce>
    )
  }
  return (
    <Confirm
      title={`Reset the account of ${visible(name)}`}
      label="Make the link"
      keep="Cancel"
      action={create}
      onConfirm={() => void create.send({ id })}
      onClose={onClose}
    >
      <p>
        You get a link by which <Text>{email}</Text> sets a new password. Nothing is mailed, and
        nothing ends before the link is used. An earlier link for them is worthless then.
      </p>
    </Confirm>
  )
}
