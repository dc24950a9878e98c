import type { WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Link } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { nameTab } from '../../shell/tab-mark.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { describeDisabling, payloadWords, wordsOfWebhook } from '../../words/webhooks.ts'
import { Dialogs, type Opened } from './dialogs.tsx'
import { webhookKeys } from './keys.ts'
import { Log } from './log.tsx'
import { projects, webhook as oneWebhook } from './reads.ts'
import { SigningSecret } from './secret.tsx'
import { ShownUntilGone } from '../../shell/shown-until-gone.tsx'
import { Standing } from './standing.tsx'
import { TestResult, useTestDelivery } from './test-delivery.tsx'
import { useRereadLog } from './use-follow-log.ts'
import styles from './webhooks.module.css'

/** One webhook: what it is sent, how it stands, and its log. */
export function Page({ params: { webhook: id = '' } }: { params: { webhook?: string } }) {
  const read = useRead(oneWebhook, { id })
  const name = read.data?.webhook.name
  useEffect(() => {
    if (name !== undefined) nameTab(name)
  }, [name])
  return (
    <ShownUntilGone of={read} title="Webhook">
      {({ webhook }) => <View key={webhook.id} webhook={webhook} />}
    </ShownUntilGone>
  )
}

function View({ webhook }: { webhook: WebhookSubscription }) {
  const { rights } = useWorkspace()
  const [opened, open] = useState<Opened>()
  const [secret, setSecret] = useState<string>()
  const test = useTestDelivery(webhook)
  const reread = useRereadLog()
  useKeys(webhookKeys(rights.mayCall, { test: test.send, edit: () => open('edit'), reread }))
  return (
    <>
      <PageHead title={<Text>{webhook.name}</Text>}>
        <Badge of={wordsOfWebhook(webhook)} />
      </PageHead>
      <div className={styles['page']}>
        <Actions webhook={webhook} test={test.send} open={open} />
        <Standing webhook={webhook} />
        <TestResult of={test} />
        <Facts webhook={webhook} />
        <Log webhook={webhook} />
      </div>
      <Dialogs
        webhook={webhook}
        opened={opened}
        onClose={() => open(undefined)}
        onRotated={(next) => {
          open(undefined)
          setSecret(next)
        }}
      />
      {secret !== undefined && (
        <SigningSecret name={webhook.name} secret={secret} onKept={() => setSecret(undefined)} />
      )}
    </>
  )
}

interface ActionsProps {
  webhook: WebhookSubscription
  test: () => void
  open: (what: Opened) => void
}

function Actions({ webhook, test, open }: ActionsProps) {
  const { rights } = useWorkspace()
  const [search] = useSearchParams()
  const button = useRef<HTMLButtonElement>(null)
  const isAsked = search.get('do') === 'test'
  useEffect(() => {
    if (isAsked) button.current?.focus()
  }, [isAsked])
  if (!rights.mayCall('updateWebhook')) return null
  return (
    <div className={styles['actions']}>
      <Button ref={button} onClick={test}>
        Send test delivery
      </Button>
      <Button onClick={() => open('edit')}>Edit</Button>
      <Button onClick={() => open('rotate')}>Replace the secret</Button>
      {webhook.disabledAt === null && <Button onClick={() => open('disable')}>Disable</Button>}
      {rights.mayCall('deleteWebhook') && (
        <Button look="danger" onClick={() => open('delete')}>
          Delete
        </Button>
      )}
    </div>
  )
}

function Facts({ webhook }: { webhook: WebhookSubscription }) {
  const known = useRead(projects, {}).data?.projects ?? []
  const { endpointUrl, eventTypes, projectId, payloadMode } = webhook
  const project = known.find(({ id }) => id === projectId)
  return (
    <dl className={styles['headers']} aria-label="What it is sent">
      <div>
        <dt>Address</dt>
        <dd>
          <Text>{endpointUrl}</Text>
        </dd>
      </div>
      <div>
        <dt>Events</dt>
        <dd>
          <Text>{eventTypes.join(', ')}</Text>
        </dd>
      </div>
      <div>
        <dt>Project</dt>
        <dd>
          {projectId === null && 'All projects'}
          {project && (
            <Link to={pathTo('board', { project: project.slug })}>
              <Text>{project.name}</Text>
            </Link>
          )}
          {projectId !== null && !project && <Text>{projectId}</Text>}
        </dd>
      </div>
      <div>
        <dt>Payload</dt>
        <dd>
          {payloadMode}. {payloadWords[payloadMode]}
        </dd>
      </div>
      <div>
        <dt>Failures</dt>
        <dd>{describeDisabling()}</dd>
      </div>
    </dl>
  )
}
