import type { Invitation } from '@svc/contracts/member'
import type { RouteOutput } from '@svc/contracts/rest'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago, GoodFor } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { visible } from '../../words/visible.ts'
import styles from './access.module.css'
import { InvitationLink, Invite } from './invite.tsx'
import { createKeys } from './keys.ts'
import { More } from './more.tsx'
import { invitations } from './reads.ts'

type Opened = { what: 'renew' | 'revoke'; invitation: Invitation } | undefined

/** Links that nobody has used yet. They end by themselves, too. */
export function Invitations() {
  const { rights } = useWorkspace()
  const read = usePages(invitations, {})
  const [isInviting, setInviting] = useState(false)
  const [opened, open] = useState<Opened>()
  const mayInvite = rights.mayCall('createInvitation')
  const invite = () => setInviting(true)
  useKeys(createKeys('invite somebody', mayInvite ? invite : undefined))
  const close = () => open(undefined)
  return (
    <>
      {mayInvite && (
        <div className={styles['bar']}>
          <Button look="first" aria-keyshortcuts="c" onClick={invite}>
            <Icon name="plus" /> Invite somebody <Kbd>c</Kbd>
          </Button>
        </div>
      )}
      <Shown of={read}>
        {({ pages }) => (
          <List
            all={pages.flatMap((page) => page.invitations)}
            onOpen={(what, invitation) => open({ what, invitation })}
          />
        )}
      </Shown>
      <More of={read} />
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {opened?.what === 'renew' && <Renew invitation={opened.invitation} onClose={close} />}
      {opened?.what === 'revoke' && <Revoke invitation={opened.invitation} onClose={close} />}
    </>
  )
}

interface ListProps {
  all: readonly Invitation[]
  onOpen: (what: 'renew' | 'revoke', invitation: Invitation) => void
}

function List({ all, onOpen }: ListProps) {
  if (all.length === 0)
    return <p>No invitation is open. One is made for an address, and joined by its link.</p>
  return (
    <Rows label="Invitations" items={all} keyOf={({ id }) => id}>
      {(invitation) => {
        const { id, email, role, invitedBy, createdAt, expiresAt } = invitation
        return (
          <div className={styles['row']} data-row={id}>
            <div className={styles['line']}>
              <span className={styles['name']}>
                <Text>{email}</Text>
              </span>
              <span>as {role}</span>
              <span className={styles['doing']}>
                <Button
                  aria-label={`New link for ${visible(email)}`}
                  onClick={() => onOpen('renew', invitation)}
                >
                  New link …
                </Button>
                <Button
                  look="danger"
                  aria-label={`Revoke the invitation of ${visible(email)}`}
                  onClick={() => onOpen('revoke', invitation)}
                >
                  Revoke …
                </Button>
              </span>
            </div>
            <p className={styles['quiet']}>
              By <Text>{invitedBy.name}</Text>, <Ago at={createdAt} />; <GoodFor at={expiresAt} />
            </p>
          </div>
        )
      }}
    </Rows>
  )
}

interface OneProps {
  invitation: Invitation
  onClose: () => void
}

/** A link is shown once: whoever lost it makes another one, and the earlier is worth nothing. */
function Renew({ invitation: { email, role }, onClose }: OneProps) {
  const [made, setMade] = useState<RouteOutput<'createInvitation'>>()
  const create = useAction('createInvitation', { onDone: setMade })
  if (made) return <InvitationLink made={made} onKept={onClose} />
  return (
    <Confirm
      title={`A new link for ${visible(email)}`}
      label="Make the link"
      keep="Cancel"
      action={create}
      onConfirm={() => void create.send({ email, role })}
      onClose={onClose}
    >
      <p>The link that they may have is worthless as soon as there is a new one.</p>
    </Confirm>
  )
}

function Revoke({ invitation: { id, email }, onClose }: OneProps) {
  const revoke = useAction('revokeInvitation', {
    onDone: () => {
      toast(`The invitation of ${email} is revoked`)
      onClose()
    },
  })
  return (
    <Confirm
      title="Revoke the invitation"
      label="Revoke it"
      isDanger
      action={revoke}
      onConfirm={() => void revoke.send({ id })}
      onClose={onClose}
    >
      <p>
        The link of <Text>{email}</Text> is worthless at once.
      </p>
    </Confirm>
  )
}
