import type { Member } from '@svc/contracts/member'
import { useState } from 'react'
import { usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Rows } from '../../ui/list.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { visible } from '../../words/visible.ts'
import styles from './access.module.css'
import { ChangeRole } from './change-role.tsx'
import { Invite } from './invite.tsx'
import { createKeys } from './keys.ts'
import { Leave } from './leave.tsx'
import { More } from './more.tsx'
import { members } from './reads.ts'
import { RemoveMember } from './remove-member.tsx'
import { ResetLink } from './reset-link.tsx'

type What = 'role' | 'reset' | 'remove' | 'leave'
type Opened = { what: What; member: Member } | undefined

/** Whoever is in the workspace, the newest accounts first. */
export function Members() {
  const { rights } = useWorkspace()
  const read = usePages(members, {})
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
          <Rows
            label="Members"
            items={pages.flatMap((page) => page.members)}
            keyOf={({ id }) => id}
          >
            {(member) => <MemberRow member={member} onOpen={(what) => open({ what, member })} />}
          </Rows>
        )}
      </Shown>
      <More of={read} />
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {opened?.what === 'role' && <ChangeRole member={opened.member} onClose={close} />}
      {opened?.what === 'reset' && <ResetLink member={opened.member} onClose={close} />}
      {opened?.what === 'remove' && <RemoveMember member={opened.member} onClose={close} />}
      {opened?.what === 'leave' && <Leave onClose={close} />}
    </>
  )
}

interface RowProps {
  member: Member
  onOpen: (what: What) => void
}

function MemberRow({ member, onOpen }: RowProps) {
  const { me } = useWorkspace()
  const { id, name, email, role, joinedAt } = member
  const items = useItems(member, onOpen)
  return (
    <div className={styles['row']} data-row={id}>
      <div className={styles['line']}>
        <span className={styles['name']}>
          <Text>{name}</Text>
        </span>
        <span>
          {role}
          {id === me.user.id && ', you'}
        </span>
        {items.length > 0 && (
          <span className={styles['doing']}>
            <Menu
              label={`What to do with ${visible(name)}`}
              trigger={<Icon name="more" />}
              items={items}
            />
          </span>
        )}
      </div>
      <p className={styles['quiet']}>
        <Text>{email}</Text>, since <Ago at={joinedAt} />
      </p>
    </div>
  )
}

/** What an owner is, only an owner decides; of oneself a person leaves, and is not removed. */
function useItems({ id, role }: Member, onOpen: (what: What) => void): MenuItem[] {
  const { me, rights } = useWorkspace()
  const isOwn = id === me.user.id
  const decides = role !== 'owner' || me.role === 'owner'
  const item = (key: What, text: string): MenuItem => ({ key, text, onChoose: () => onOpen(key) })
  return [
    ...(decides && rights.mayCall('updateMember') ? [item('role', 'Change the role …')] : []),
    ...(decides && !isOwn && rights.mayCall('createResetLink')
      ? [item('reset', 'Link to reset the account …')]
      : []),
    ...(decides && !isOwn && rights.mayCall('removeMember') ? [item('remove', 'Remove …')] : []),
    ...(isOwn ? [item('leave', 'Leave the workspace …')] : []),
  ]
}
