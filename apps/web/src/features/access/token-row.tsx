import { inWords } from '@svc/contracts/permission-words'
import type { UserToken } from '@svc/contracts/user-token'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { tick } from '../../ui/tick.ts'
import { Ago, GoodFor } from '../../ui/time.tsx'
import { rightsInWords, stateOfToken, tokenWords } from '../../words/access.ts'
import { visible } from '../../words/visible.ts'
import styles from './access.module.css'
import { projects } from './reads.ts'

interface TokenRowProps {
  token: UserToken
  /** Whose it is, where that is somebody else. */
  of?: ReactNode
  /** Left out by whoever may not. */
  onRevoke: (() => void) | undefined
}

export function TokenRow({ token, of, onRevoke }: TokenRowProps) {
  const now = useSyncExternalStore(tick.subscribe, tick.get)
  const { id, label, prefix, preset, lastUsedAt, createdAt, expiresAt, revokedAt } = token
  const state = stateOfToken(token, now)
  const isInForce = state === 'good' || state === 'ending'
  return (
    <div className={styles['row']} data-row={id}>
      <div className={styles['line']}>
        <Badge of={tokenWords[state]} />
        <span className={styles['name']}>
          <Text>{label}</Text>
        </span>
        <code>{prefix}…</code>
        {isInForce && onRevoke && (
          <span className={styles['doing']}>
            <Button look="danger" aria-label={`Revoke ${visible(label)}`} onClick={onRevoke}>
              Revoke …
            </Button>
          </span>
        )}
      </div>
      {of !== undefined && <p className={styles['quiet']}>{of}</p>}
      <p className={styles['quiet']}>
        {preset ?? 'chosen permissions'}, made <Ago at={createdAt} />,{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Ago at={lastUsedAt} />
          </>
        )}
        {isInForce ? (
          <>
            , <GoodFor at={expiresAt} />
          </>
        ) : (
          <>
            , over since <Ago at={revokedAt ?? expiresAt} />
          </>
        )}
      </p>
      {isInForce && <May token={token} isOwn={of === undefined} />}
    </div>
  )
}

/** What it may do, and where. Of somebody else's nobody here knows the role, which bounds it again. */
function May({ token: { permissions, projectIds }, isOwn }: { token: UserToken; isOwn: boolean }) {
  const { role } = useWorkspace().me
  const words = isOwn ? rightsInWords(permissions, role) : inWords(permissions)
  return (
    <Fold summary="What it may do">
      <ul className={styles['words']}>
        {words.length === 0 && <li>nothing</li>}
        {words.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {projectIds !== null && <Bound projectIds={projectIds} />}
    </Fold>
  )
}

function Bound({ projectIds }: { projectIds: readonly string[] }) {
  const known = useRead(projects, {}).data?.projects ?? []
  const names = projectIds.map((id) => known.find((one) => one.id === id)?.name ?? id)
  return (
    <p className={styles['quiet']}>
      In these projects alone: <Text>{names.join(', ')}</Text>
    </p>
  )
}
