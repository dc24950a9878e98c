import type { WorkspaceToken } from '@svc/contracts/user-token'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Shown } from '../../shell/shown.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { More } from './more.tsx'
import { workspaceTokens } from './reads.ts'
import { RevokeToken } from './revoke-token.tsx'
import { TokenRow } from './token-row.tsx'
import { useFresh } from './use-fresh.ts'

/** Everybody's in the workspace, and those of the applications that they let in. */
export function AllTokens() {
  const { rights } = useWorkspace()
  const read = usePages(workspaceTokens, {})
  const reread = useFresh('listWorkspaceTokens')
  const [revoking, setRevoking] = useState<WorkspaceToken>()
  const mayRevoke = rights.mayCall('revokeWorkspaceToken')
  const revoke = useAction('revokeWorkspaceToken', {
    onDone: () => {
      if (revoking) toast(`${revoking.label} is revoked`)
      setRevoking(undefined)
      reread()
    },
  })
  return (
    <>
      <Shown of={read}>
        {({ pages }) => (
          <List
            all={pages.flatMap((page) => page.userTokens)}
            onRevoke={mayRevoke ? setRevoking : undefined}
          />
        )}
      </Shown>
      <More of={read} />
      {revoking && (
        <RevokeToken
          token={revoking}
          action={revoke}
          onConfirm={() => void revoke.send({ id: revoking.id })}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  )
}

interface ListProps {
  all: readonly WorkspaceToken[]
  /** Left out by whoever may not. */
  onRevoke: ((token: WorkspaceToken) => void) | undefined
}

function List({ all, onRevoke }: ListProps) {
  if (all.length === 0) return <p>Nobody has a token here, and no application was let in.</p>
  return (
    <Rows label="All tokens" items={all} keyOf={({ id }) => id}>
      {(token) => (
        <TokenRow
          token={token}
          of={
            <>
              Of <Text>{token.person.name}</Text>, <Text>{token.person.email}</Text>
              {token.kind === 'oauth' && ', given to an application'}
            </>
          }
          onRevoke={onRevoke && (() => onRevoke(token))}
        />
      )}
    </Rows>
  )
}
