import type { UserToken } from '@svc/contracts/user-token'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useAction } from '../../data/actions.ts'
import { usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Rows } from '../../ui/list.tsx'
import { toast } from '../../ui/toast-store.ts'
import styles from './access.module.css'
import { readAsked } from './asked.ts'
import { CreateToken } from './create-token.tsx'
import { createKeys } from './keys.ts'
import { More } from './more.tsx'
import { userTokens } from './reads.ts'
import { RevokeToken } from './revoke-token.tsx'
import { TokenRow } from './token-row.tsx'
import { searchOfTab } from './tabs.ts'
import { useFresh } from './use-fresh.ts'

/** One's own tokens, the newest first, also those that are over. */
export function Tokens() {
  const { rights } = useWorkspace()
  const [search, setSearch] = useSearchParams()
  const asked = readAsked(search)
  const read = usePages(userTokens, {})
  const reread = useFresh('listUserTokens')
  const [isCreating, setCreating] = useState(false)
  const mayCreate = rights.mayCall('createUserToken')
  const create = () => setCreating(true)
  useKeys(createKeys('new token', mayCreate ? create : undefined))
  const close = () => {
    setCreating(false)
    if (asked) setSearch(searchOfTab('tokens'), { replace: true })
    reread()
  }
  return (
    <>
      {mayCreate && (
        <div className={styles['bar']}>
          <Button look="first" aria-keyshortcuts="c" onClick={create}>
            <Icon name="plus" /> New token <Kbd>c</Kbd>
          </Button>
        </div>
      )}
      <Shown of={read}>
        {({ pages }) => (
          <TokenList all={pages.flatMap((page) => page.userTokens)} onRevoked={reread} />
        )}
      </Shown>
      <More of={read} />
      {mayCreate && (isCreating || asked) && <CreateToken asked={asked} onClose={close} />}
    </>
  )
}

interface TokenListProps {
  all: readonly UserToken[]
  onRevoked: () => void
}

function TokenList({ all, onRevoked }: TokenListProps) {
  const [revoking, setRevoking] = useState<UserToken>()
  const revoke = useAction('revokeUserToken', {
    onDone: () => {
      if (revoking) toast(`${revoking.label} is revoked`)
      setRevoking(undefined)
      onRevoked()
    },
  })
  if (all.length === 0) {
    return (
      <p>
        You have no token. A token lets a command line, a program or a runner act for you, as far as
        you say.
      </p>
    )
  }
  return (
    <>
      <Rows label="Your tokens" items={all} keyOf={({ id }) => id}>
        {(token) => <TokenRow token={token} onRevoke={() => setRevoking(token)} />}
      </Rows>
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
