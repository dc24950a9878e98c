import type { WebhookAttempt } from '@svc/contracts/webhook-subscription'
import { Badge } from '../../ui/badge.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { duration } from '../../words/duration.ts'
import { attemptWords, triggerWords } from '../../words/webhooks.ts'
import styles from './webhooks.module.css'

/** One try, and what its receiver answered. */
export function Attempt({ attempt, isOpen }: { attempt: WebhookAttempt; isOpen: boolean }) {
  const { outcome, status, durationMs, address, error, phase, trigger, mode, endedAt } = attempt
  const facts = [
    ...(status === null ? [] : [`status ${status}`]),
    ...(durationMs === null ? [] : [`in ${duration(durationMs / 1000)}`]),
    ...(address === null ? [] : [`at ${address}`]),
    ...(mode === null ? [] : [mode]),
  ]
  return (
    <div className={styles['attempt']}>
      <div className={styles['line']}>
        <Badge of={attemptWords[outcome]} />
        {facts.length > 0 && <Text>{facts.join(', ')}</Text>}
        <span className={styles['quiet']}>
          <Ago at={endedAt} />
        </span>
      </div>
      <p className={styles['quiet']}>
        {attemptWords[outcome].sentence} {triggerWords[trigger]}
      </p>
      {error !== null && (
        <p className={styles['said']}>
          <Text>{phase === null ? error : `${error} (${phase})`}</Text>
        </p>
      )}
      {status !== null && <Answer attempt={attempt} isOpen={isOpen} />}
    </div>
  )
}

function Answer({ attempt, isOpen }: { attempt: WebhookAttempt; isOpen: boolean }) {
  const { responseHeaders, responseBody, responseTruncated } = attempt
  return (
    <Fold summary="What was answered" isOpen={isOpen}>
      <Headers label="Headers of the answer" of={responseHeaders} />
      {responseBody === null || responseBody === '' ? (
        <p className={styles['quiet']}>
          {responseTruncated ? 'Its body is not kept any more.' : 'It had no body.'}
        </p>
      ) : (
        <CopyText text={responseBody} what="the body of the answer" />
      )}
      {responseTruncated && responseBody && (
        <p className={styles['quiet']}>This is its beginning: the rest is not kept.</p>
      )}
    </Fold>
  )
}

export function Headers({ label, of }: { label: string; of: Readonly<Record<string, string>> }) {
  const rows = Object.entries(of)
  if (rows.length === 0) return null
  return (
    <dl className={styles['headers']} aria-label={label}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>
            <Text>{name}</Text>
          </dt>
          <dd>
            <Text>{value}</Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}
