import type { RouteOutput } from '@svc/contracts/rest'
import type { WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { usePages, useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Link } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { counted } from '../../words/counted.ts'
import { wordsOfWebhook } from '../../words/webhooks.ts'
import { CreateWebhook } from './create-webhook.tsx'
import { listKeys } from './keys.ts'
import { projects, webhooks } from './reads.ts'
import { SigningSecret } from './secret.tsx'
import styles from './webhooks.module.css'

/** The webhooks of the workspace; a new one begins here. */
export function Page() {
  const { rights } = useWorkspace()
  const [, go] = useLocation()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<RouteOutput<'createWebhook'>>()
  const read = usePages(webhooks, {})
  const mayCreate = rights.mayCall('createWebhook')
  const create = () => setCreating(true)
  useKeys(listKeys(rights.mayCall, { create }))
  return (
    <>
      <PageHead title="Webhooks">
        {mayCreate && (
          <Button look="first" onClick={create}>
            <Icon name="plus" /> New webhook
          </Button>
        )}
      </PageHead>
      <Shown of={read}>
        {({ pages }) => <Webhooks all={pages.flatMap((page) => page.webhooks)} />}
      </Shown>
      {read.hasNextPage && (
        <Button disabled={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          Show more
        </Button>
      )}
      {isCreating && (
        <CreateWebhook
          onClose={() => setCreating(false)}
          onCreated={(answer) => {
            setCreating(false)
            setCreated(answer)
          }}
        />
      )}
      {created && (
        <SigningSecret
          name={created.webhook.name}
          secret={created.secret}
          onKept={() => go(pathTo('webhook', { webhook: created.webhook.id }))}
        />
      )}
    </>
  )
}

function Webhooks({ all }: { all: readonly WebhookSubscription[] }) {
  const known = useRead(projects, {}).data?.projects ?? []
  if (all.length === 0) {
    return (
      <p>
        There is no webhook yet. A webhook posts what happens here to an address of yours, signed: a
        chat, a build, a system of your own.
      </p>
    )
  }
  return (
    <Rows label="Webhooks" items={all} keyOf={({ id }) => id}>
      {(webhook) => {
        const { id, name, endpointUrl, eventTypes, projectId, payloadMode } = webhook
        const project = known.find((one) => one.id === projectId)
        return (
          <div className={styles['row']}>
            <div className={styles['line']}>
              <Link to={pathTo('webhook', { webhook: id })}>
                <Text>{name}</Text>
              </Link>
              <Badge of={wordsOfWebhook(webhook)} />
            </div>
            <p className={styles['quiet']}>
              <Text>{endpointUrl}</Text>
            </p>
            <p className={styles['quiet']}>
              {counted(eventTypes.length, 'event')} of{' '}
              {projectId === null ? 'all projects' : <Text>{project?.name ?? projectId}</Text>},{' '}
              {payloadMode}
            </p>
          </div>
        )
      }}
    </Rows>
  )
}
