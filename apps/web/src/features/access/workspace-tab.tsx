import type { Workspace } from '@svc/contracts/workspace'
import { useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { counted } from '../../words/counted.ts'
import styles from './access.module.css'
import { CreateWorkspace } from './create-workspace.tsx'
import { EditWorkspace } from './edit-workspace.tsx'
import { createKeys } from './keys.ts'
import { Leave } from './leave.tsx'
import { workspace } from './reads.ts'

/** What the workspace is, and the others of this person. */
export function WorkspaceTab() {
  const { me, rights, slug } = useWorkspace()
  const read = useRead(workspace, {})
  const [opened, open] = useState<'create' | 'leave'>()
  const close = () => open(undefined)
  useKeys(createKeys('new workspace', () => open('create')))
  return (
    <>
      <Shown of={read} rows={2}>
        {({ workspace: shown }) => <Settings workspace={shown} />}
      </Shown>
      <div className={styles['actions']}>
        <Button aria-keyshortcuts="c" onClick={() => open('create')}>
          New workspace
        </Button>
        <Button look="danger" onClick={() => open('leave')}>
          Leave the workspace …
        </Button>
        {rights.mayCall('deleteWorkspace') && (
          <a href={`/account/workspaces/delete?workspace=${encodeURIComponent(slug)}`}>
            Delete the workspace …
          </a>
        )}
      </div>
      <h2>Your workspaces</h2>
      <Rows label="Your workspaces" items={me.workspaces} keyOf={({ id }) => id}>
        {({ id, slug, name, role }) => (
          <div className={styles['line']}>
            <a className={styles['name']} href={`/w/${slug}`}>
              <Text>{name}</Text>
            </a>
            <code>{slug}</code>
            <span className={styles['quiet']}>
              {role}
              {id === me.workspace.id && ', this one'}
            </span>
          </div>
        )}
      </Rows>
      {opened === 'create' && <CreateWorkspace onClose={close} />}
      {opened === 'leave' && <Leave onClose={close} />}
    </>
  )
}

function Settings({ workspace: shown }: { workspace: Workspace }) {
  const { rights } = useWorkspace()
  const [isEditing, edit] = useState(false)
  const { name, slug, maxTokenDays } = shown
  return (
    <>
      <dl className={styles['facts']} aria-label="The workspace">
        <div>
          <dt>Name</dt>
          <dd>
            <Text>{name}</Text>
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            <Text>{`${location.origin}/w/${slug}`}</Text>
          </dd>
        </div>
        <div>
          <dt>A token lives at most</dt>
          <dd>{counted(maxTokenDays, 'day')}</dd>
        </div>
      </dl>
      {rights.mayCall('updateWorkspace') && (
        <div>
          <Button onClick={() => edit(true)}>Edit</Button>
        </div>
      )}
      {isEditing && <EditWorkspace workspace={shown} onClose={() => edit(false)} />}
    </>
  )
}
