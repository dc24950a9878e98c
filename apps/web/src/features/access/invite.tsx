import type { Role } from '@svc/contracts/permissions'
import type { RouteOutput } from '@svc/contracts/rest'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useDraft } from '../../data/use-draft.ts'
import { SecretOnce } from '../../parts/secret/secret-once.tsx'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Text } from '../../ui/text.tsx'
import { GoodFor } from '../../ui/time.tsx'
import { readInvitation, writeInvitation } from './forms.ts'
import { RoleSelect } from './role-select.tsx'

type Made = RouteOutput<'createInvitation'>

const draft = 'invitation'

/** Makes a link by which somebody joins; it is shown this once, and nothing is mailed. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [text, setText] = useDraft(draft, '')
  const [made, setMade] = useState<Made>()
  const create = useAction('createInvitation', { draft, onDone: setMade })
  const { email, role } = readInvitation(text)
  const write = (next: { email: string; role: Role }) => setText(writeInvitation(next))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.send({ email: email.trim(), role })
  }
  if (made) return <InvitationLink made={made} onKept={onClose} />
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="E-mail address"
          required
          type="text"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          value={email}
          hint="The link is for this address alone. Nothing is mailed: you hand it over."
          onChange={(event) => write({ email: event.target.value, role })}
        />
        <RoleSelect value={role} onChoose={(next) => write({ email, role: next })} />
        <ActionProblem of={create} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="first" type="submit" disabled={create.state.name === 'sending'}>
            Make the link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function InvitationLink({ made, onKept }: { made: Made; onKept: () => void }) {
  const { email, role, expiresAt } = made.invitation
  return (
    <SecretOnce
      title="The link, shown this once"
      secret={made.link}
      what="the link"
      onKept={onKept}
    >
      <p>
        Hand it to <Text>{email}</Text> alone: whoever opens it joins as {role}. It works once, and
        is <GoodFor at={expiresAt} />. An earlier link for this address is worthless now.
      </p>
    </SecretOnce>
  )
}
