import { describeBrowser } from '@svc/contracts/describe-browser'
import type { SignIn } from '@svc/contracts/sign-in'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useLeavesOnceEnded, useLeaving } from '../../shell/use-leaving.ts'
import { Button } from '../../ui/button.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { counted } from '../../words/counted.ts'
import { visible } from '../../words/visible.ts'
import styles from './access.module.css'
import { signIns } from './reads.ts'
import { useFresh } from './use-fresh.ts'

/** The browsers that the person is signed in with, in whatever workspace they are used. */
export function SignIns() {
  const read = useRead(signIns, {})
  const reread = useFresh('listSignIns')
  const [isEndingAll, endAll] = useState(false)
  return (
    <>
      <div className={styles['bar']}>
        <Button look="danger" onClick={() => endAll(true)}>
          Sign out everywhere …
        </Button>
        <a href="/account">Password and linked accounts</a>
        <a href="/account/access">What acts for you besides browsers</a>
      </div>
      <Shown of={read}>
        {({ sessions }) => (
          <Rows label="Sign-ins" items={sessions} keyOf={({ id }) => id}>
            {(session) => <SignInRow session={session} onEnded={reread} />}
          </Rows>
        )}
      </Shown>
      {isEndingAll && <EndAll onClose={() => endAll(false)} />}
    </>
  )
}

function SignInRow({ session, onEnded }: { session: SignIn; onEnded: () => void }) {
  const { id, browser, from, createdAt, lastUsedAt, isCurrent } = session
  const [isEnding, setEnding] = useState(false)
  const name = describeBrowser(browser)
  const end = useAction('endSignIn', {
    onDone: () => {
      setEnding(false)
      toast(`${name} is signed out`)
      onEnded()
    },
  })
  return (
    <div className={styles['row']} data-row={id}>
      <div className={styles['line']}>
        <span className={styles['name']}>
          <Text>{name}</Text>
        </span>
        {isCurrent && <span>this one</span>}
        {!isCurrent && (
          <span className={styles['doing']}>
            <Button
              look="danger"
              aria-label={`Sign out ${visible(name)}`}
              onClick={() => setEnding(true)}
            >
              Sign out …
            </Button>
          </span>
        )}
      </div>
      <p className={styles['quiet']}>
        <Text>{from ?? 'From an unknown network'}</Text>, signed in <Ago at={createdAt} />, last
        used <Ago at={lastUsedAt} />
      </p>
      {isEnding && (
        <Confirm
          title={`Sign out ${visible(name)}`}
          label="Sign it out"
          isDanger
          action={end}
          onConfirm={() => void end.send({ id })}
          onClose={() => setEnding(false)}
        >
          <p>Whoever uses that browser signs in again, or is out.</p>
        </Confirm>
      )}
    </div>
  )
}

/** This browser as well: what is typed here goes with it, as with any sign-out by hand. */
function EndAll({ onClose }: { onClose: () => void }) {
  const { drafts } = useWorkspace()
  const [count] = useState(() => drafts.countAll())
  const leave = useLeaving()
  const end = useAction('endSignIns', { onDone: leave })
  useLeavesOnceEnded(end.state, leave)
  return (
    <Confirm
      title="Sign out everywhere"
      label={count === 0 ? 'Sign out everywhere' : 'Discard and sign out everywhere'}
      keep="Stay"
      isDanger
      action={end}
      onConfirm={() => void end.send({})}
      onClose={onClose}
    >
      <p>
        Every browser that is signed in as you is signed out, this one, too. Tokens and applications
        are no browsers and go on.
      </p>
      {count > 0 && (
        <p>{counted(count, 'text')} that you have typed here and not sent will be discarded.</p>
      )}
    </Confirm>
  )
}
