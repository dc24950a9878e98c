import type { RouteOutput } from '@svc/contracts/rest'
import type { WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { useState } from 'react'
import { type Action, useAction } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { announce } from '../../ui/announce.ts'
import { attemptWords } from '../../words/webhooks.ts'
import { Attempt } from './attempt.tsx'
import { useRereadLog } from './use-follow-log.ts'
import styles from './webhooks.module.css'

type Tested = RouteOutput<'testWebhook'>

export interface TestDelivery {
  action: Action<'testWebhook'>
  send: () => void
  result: Tested | undefined
}

/** A test is sent while one waits: its answer says what the receiver said. */
export function useTestDelivery({ id }: WebhookSubscription): TestDelivery {
  const [result, setResult] = useState<Tested>()
  const reread = useRereadLog()
  const action = useAction('testWebhook', {
    onDone: (answer) => {
      setResult(answer)
      const outcome = answer.attempts.at(-1)?.outcome
      if (outcome) announce(`The test was ${attemptWords[outcome].word}.`)
      reread()
    },
  })
  const send = () => {
    if (action.state.name === 'sending') return
    setResult(undefined)
    void action.send({ id })
  }
  return { action, send, result }
}

export function TestResult({ of: { action, result } }: { of: TestDelivery }) {
  const isSending = action.state.name === 'sending'
  if (action.state.name === 'idle' && result === undefined) return null
  return (
    <section className={styles['part']} aria-label="Test delivery">
      {isSending && <p role="status">Sending, for ten seconds at most …</p>}
      {result?.attempts.map((attempt) => (
        <Attempt key={attempt.endedAt} attempt={attempt} isOpen />
      ))}
      <ActionProblem of={action} />
    </section>
  )
}
