import type { WebhookDelivery, WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { eventTypes, webhookDeliveryStates } from '../../data/contracts.values.ts'
import { usePages } from '../../data/reads.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Rows } from '../../ui/list.tsx'
import { Select } from '../../ui/select.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { counted } from '../../words/counted.ts'
import { deliveryWords } from '../../words/webhooks.ts'
import { type Filters, readFilters, searchOf } from './filters.ts'
import { NextTry } from './next-try.tsx'
import { deliveries } from './reads.ts'
import { useResend, useWayToSend } from './resend.ts'
import { useFollowLog, useFollowSent, useRereadLog } from './use-follow-log.ts'
import styles from './webhooks.module.css'

const atOnce = 50

/** What was sent, and what became of it; newest first. */
export function Log({ webhook }: { webhook: WebhookSubscription }) {
  const [search] = useSearchParams()
  const filters = readFilters(search.toString())
  const reread = useRereadLog()
  const { state, type } = filters
  const read = usePages(deliveries, {
    id: webhook.id,
    limit: atOnce,
    ...(state !== undefined && { state }),
    ...(type !== undefined && { type }),
  })
  const pages = read.data?.pages
  const shown = useMemo(() => pages?.flatMap((page) => page.deliveries) ?? [], [pages])
  // who has read back farther is not moved by what comes
  useFollowLog(webhook, pages?.length === 1)
  useFollowSent(shown)
  return (
    <section aria-labelledby="log" className={styles['part']}>
      <div className={styles['head']}>
        <h2 id="log">Delivery log</h2>
        <Button look="bare" disabled={read.isFetching} onClick={reread}>
          Read it again
        </Button>
      </div>
      <FilterBar webhook={webhook} filters={filters} />
      <Shown of={read}>
        {() =>
          shown.length === 0 ? (
            <p>{emptyWords(webhook, filters)}</p>
          ) : (
            <Rows
              label="Deliveries"
              items={shown}
              keyOf={({ id }) => `${id} ${webhook.disabledAt}`}
            >
              {(delivery) => <Row delivery={delivery} disabledAt={webhook.disabledAt} />}
            </Rows>
          )
        }
      </Shown>
      {read.hasNextPage && (
        <Button disabled={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          Show older ones
        </Button>
      )}
    </section>
  )
}

function emptyWords({ disabledAt }: WebhookSubscription, { state, type }: Filters): string {
  if (state !== undefined || type !== undefined) return 'No delivery is like that.'
  return disabledAt === null
    ? 'Nothing was sent yet. A test delivery shows whether its receiver takes it.'
    : 'Nothing was sent yet, and nothing is while it is disabled.'
}

function FilterBar({ webhook, filters }: { webhook: WebhookSubscription; filters: Filters }) {
  const [, setSearch] = useSearchParams()
  const set = (more: Partial<Filters>) =>
    setSearch(searchOf({ ...filters, ...more }), { replace: true })
  const asked = filters.type === undefined ? [] : [filters.type]
  const types = [...new Set<string>([...eventTypes, ...webhook.eventTypes, ...asked])]
  return (
    <search className={styles['filters']}>
      <Select
        label="State"
        isSmall
        value={filters.state ?? ''}
        choices={[
          { value: '', text: 'any' },
          ...webhookDeliveryStates.map((value) => ({ value, text: deliveryWords[value].word })),
        ]}
        onChoose={(state) => set({ state: readFilters(`state=${state}`).state })}
      />
      <Select
        label="Event"
        isSmall
        value={filters.type ?? ''}
        choices={[{ value: '', text: 'any' }, ...types.map((value) => ({ value, text: value }))]}
        onChoose={(type) => set({ type: type === '' ? undefined : type })}
      />
    </search>
  )
}

function Row({
  delivery,
  disabledAt,
}: {
  delivery: WebhookDelivery
  disabledAt: WebhookSubscription['disabledAt']
}) {
  const way = useWayToSend(delivery)
  const resend = useResend(way)
  const { id, subscriptionId, type, state, attempts, mode, nextAttemptAt, createdAt } = delivery
  return (
    <>
      <div className={styles['line']} data-delivery={id}>
        <Badge of={deliveryWords[state]} />
        <Link to={pathTo('webhookDelivery', { webhook: subscriptionId, delivery: id })}>
          <Text>{type}</Text>
        </Link>
        <span className={styles['quiet']}>
          {counted(attempts, 'try', 'tries')}, {mode}, <Ago at={createdAt} />
          {state === 'pending' && nextAttemptAt !== null && (
            <>
              . <NextTry at={nextAttemptAt} disabledAt={disabledAt} />
            </>
          )}
        </span>
        {way && (
          <Button
            aria-label={`Send ${way}: ${type}`}
            disabled={resend.state.name === 'sending'}
            onClick={() => void resend.send({ id: subscriptionId, deliveryId: id })}
          >
            Send {way}
          </Button>
        )}
      </div>
      <ActionProblem of={resend} />
    </>
  )
}
