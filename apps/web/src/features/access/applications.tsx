import { inWords } from '@svc/contracts/permission-words'
import type { ConnectedApplication } from '@svc/contracts/user-token'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago, GoodFor } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { visible } from '../../words/visible.ts'
import styles from './access.module.css'
import { More } from './more.tsx'
import { applications } from './reads.ts'
import { useFresh } from './use-fresh.ts'

/** What the person has let in by OAuth, as chat clients and cloud agents ask for it. */
export function Applications() {
  const read = usePages(applications, {})
  const reread = useFresh('listConnectedApplications')
  const [ending, setEnding] = useState<ConnectedApplication>()
  return (
    <>
      <Shown of={read}>
        {({ pages }) => (
          <List
            all={pages.flatMap((page) => page.connectedApplications)}
            onDisconnect={setEnding}
          />
        )}
      </Shown>
      <More of={read} />
      {ending && (
        <Disconnect application={ending} onDone={reread} onClose={() => setEnding(undefined)} />
      )}
    </>
  )
}

interface ListProps {
  all: readonly ConnectedApplication[]
  onDisconnect: (application: ConnectedApplication) => void
}

function List({ all, onDisconnect }: ListProps) {
  const { rights } = useWorkspace()
  if (all.length === 0) {
    return (
      <p>
        No application acts for you here. One that asks to be let in shows you a page of this
        service, which says what it may do.
      </p>
    )
  }
  return (
    <Rows label="Applications" items={all} keyOf={({ id }) => id}>
      {(application) => {
        const { id, label, permissions, createdAt, expiresAt, lastUsedAt } = application
        return (
          <div className={styles['row']} data-row={id}>
            <div className={styles['line']}>
              <span className={styles['name']}>
                <Text>{label}</Text>
              </span>
              {rights.mayCall('endConnectedApplication') && (
                <span className={styles['doing']}>
                  <Button
                    look="danger"
                    aria-label={`Disconnect ${visible(label)}`}
                    onClick={() => onDisconnect(application)}
                  >
                    Disconnect …
                  </Button>
                </span>
              )}
            </div>
            <p className={styles['quiet']}>
              Let in <Ago at={createdAt} />,{' '}
              {lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  last used <Ago at={lastUsedAt} />
                </>
              )}
              , <GoodFor at={expiresAt} />. It may, as far as you may:
            </p>
            <ul className={styles['words']}>
              {inWords(permissions).map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          </div>
        )
      }}
    </Rows>
  )
}

interface DisconnectProps {
  application: ConnectedApplication
  onDone: () => void
  onClose: () => void
}

function Disconnect({ application: { id, label }, onDone, onClose }: DisconnectProps) {
  const end = useAction('endConnectedApplication', {
    onDone: () => {
      toast(`${label} is disconnected`)
      onClose()
      onDone()
    },
  })
  return (
    <Confirm
      title="Disconnect the application"
      label="Disconnect it"
      isDanger
      action={end}
      onConfirm={() => void end.send({ id })}
      onClose={onClose}
    >
      <p>
        <Text>{label}</Text> is refused at once. What it did stays. To let it in again, begin in the
        application.
      </p>
    </Confirm>
  )
}
