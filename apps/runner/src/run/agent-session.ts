import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { PendingAnswer } from '@svc/contracts/agent-session'
import { type Client, createClient } from '@svc/client/client'
import { sleep } from '@svc/client/retry'
import { cutText } from '@svc/contracts/cut-text'
import { isServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { ProtocolOutput, ProtocolRequest } from '@svc/contracts/protocol'
import type { QuestionAnswer, QuestionOption } from '@svc/contracts/question'
import { heldAnswersPath, holdAnswers } from '../files/held-answers.ts'
import { readRunFacts, runFactsPaths, writeRunFacts } from '../files/run-facts.ts'
import { keepSpooledCall, spoolFolder } from '../files/spooled-call.ts'
import { findStep } from './journal.ts'
import type { Run } from './run.ts'
import { isRefusal, untilReached } from './until-reached.ts'

const updateMs = 15_000
const betweenMs = 500

/**
 * What a supervisor says in the name of the agent that it has started, with that agent's credentials. It never takes an
 * answer from the agent: what comes with a reply is held for the next reply that the agent itself gets.
 */
export interface AgentSession {
  /** Undefined until the agent has attached. */
  key: () => string | undefined
  /** Where the agent is none that could do it. */
  attach: (signal: AbortSignal) => Promise<void>
  /**
   * Whether answers are stored that the agent was not given yet. Until then no further call is made, since the service would
   * take it as a sign that they were read.
   */
  holdsAnswers: () => boolean
  /** Sends an update; false where the session takes no more. */
  update: (text: string, signal: AbortSignal) => Promise<boolean>
  /** Stores the question with the service and waits; undefined where no answer will come. */
  ask: (asked: PermissionQuestion, signal: AbortSignal) => Promise<QuestionAnswer | undefined>
  /** Kept at once, and sent before the exit is reported, by whoever comes to report it. */
  deliver: (summary: string) => Promise<void>
}

export interface PermissionQuestion {
  question: string
  options: QuestionOption[]
}

export function openAgentSession(run: Run): AgentSession {
  const { order, requestId, generation, tmpDirectory } = run
  const client = createClient({
    baseUrl: order.serviceUrl,
    token: order.agentToken ?? run.env['SVC_USER_TOKEN'] ?? '',
  })
  const { workingDirectory } = findStep(run.steps(), 'prepared') ?? {}
  const paths = runFactsPaths({ requestId, tmpDirectory, workingDirectory })
  const held = heldAnswersPath(tmpDirectory)
  /** Of its own attach, should the disk not take it. */
  let ownKey: string | undefined

  const key = () => readRunFacts(paths, generation).sessionKey ?? ownKey

  function keepAnswers(answers: readonly PendingAnswer[]): void {
    if (answers.length > 0) holdAnswers(held, answers)
  }

  return {
    key,
    async attach(signal) {
      const answer = await attachTo(run, client, signal)
      ownKey = answer.sessionKey
      const { sessionKey, session, pendingAnswers } = answer
      const facts = { ...readRunFacts(paths, generation), sessionKey }
      try {
        writeRunFacts(paths, { ...facts, objectiveId: session.objectiveId })
        keepAnswers(pendingAnswers)
      } catch (error) {
        run.log.warn({ err: error }, 'the key of the session cannot be written')
      }
    },
    holdsAnswers: () => existsSync(held),
    async update(text, signal) {
      const sessionKey = key()
      if (sessionKey === undefined) return true
      try {
        const timed = AbortSignal.any([signal, AbortSignal.timeout(updateMs)])
        const input = { sessionKey, text: cutText(text, limits.updateCharacters) }
        keepAnswers((await client.protocol('update', input, { signal: timed })).pendingAnswers)
      } catch (error) {
        run.log.info({ err: error }, 'what the agent does was not reported')
        return !isRefusal(error)
      }
      return true
    },
    async ask(asked, signal) {
      const sessionKey = key()
      if (sessionKey === undefined) return undefined
      const asking = { run, client, sessionKey, signal, keepAnswers }
      const opened = await openQuestion(asking, asked)
      return opened && (await awaitAnswer(asking, opened.questionId)).answer
    },
    async deliver(summary) {
      const sessionKey = key()
      if (sessionKey === undefined) throw new Error('nothing is delivered without a session')
      const call = { operation: 'deliver', input: { sessionKey, summary } } as const
      const idempotencyKey = randomUUID()
      try {
        const at = new Date().toISOString()
        keepSpooledCall(spoolFolder(tmpDirectory, requestId), { ...call, idempotencyKey, at })
      } catch (error) {
        run.log.warn({ err: error }, 'the delivery cannot be kept, and is sent at once')
        await untilReached(
          (options) => client.protocol('deliver', call.input, { ...options, idempotencyKey }),
          { signal: run.fence, pace: run.pace },
        )
      }
    },
  }
}

function attachTo(
  { order, pace }: Run,
  client: Client,
  signal: AbortSignal,
): Promise<ProtocolOutput<'attach'>> {
  const { executionRequest, mission, objective } = order.assignment
  const model = executionRequest.config.model.value
  const input = {
    agentIdentifier: executionRequest.agent,
    ...(model !== null && { modelIdentifier: model }),
    missionId: mission.id,
    objectiveId: objective.displayId,
    executionRequestId: executionRequest.id,
    generation: executionRequest.generation,
  }
  const idempotencyKey = randomUUID()
  return untilReached(
    (options) => client.protocol('attach', input, { ...options, idempotencyKey }),
    { signal, pace },
  )
}

interface Asking {
  run: Run
  client: Client
  sessionKey: string
  signal: AbortSignal
  keepAnswers: (answers: readonly PendingAnswer[]) => void
}

type Answered = ProtocolOutput<'ask'>

/** Behind what the agent itself has asked: a session has one question at a time. Undefined where the run is to end. */
async function openQuestion(
  asking: Asking,
  asked: PermissionQuestion,
): Promise<Answered | undefined> {
  for (;;) {
    try {
      return await ask(asking, { ...asked, allowFreeText: false })
    } catch (error) {
      const before = isServiceError(error) && error.code === 'question_open' && error.details
      const questionId = before ? before['questionId'] : undefined
      if (typeof questionId !== 'string') throw error
      const { directive } = await holdAnswerTo(asking, questionId)
      if (directive === 'stop') return undefined
    }
  }
}

/** Waits for the answer to what the agent has asked itself, and holds it for the agent. */
async function holdAnswerTo(asking: Asking, questionId: string): Promise<Answered> {
  const { run, client, signal, keepAnswers } = asking
  const answered = await awaitAnswer(asking, questionId)
  const { answer } = answered
  if (answer === undefined) return answered
  const { mission, objective } = run.order.assignment
  const input = { missionId: mission.id, objectiveId: objective.id }
  const { questions } = await untilReached(
    (options) => client.protocol('load-context', input, options),
    { signal, pace: run.pace },
  )
  const question = questions.find(({ id }) => id === questionId)?.question ?? ''
  keepAnswers([{ questionId, question, optionId: answer.optionId, answer: answer.text }])
  return answered
}

async function awaitAnswer(asking: Asking, questionId: string): Promise<Answered> {
  for (;;) {
    const answered = await ask(asking, { questionId, waitSeconds: limits.askWaitSeconds })
    if (answered.status !== 'open' || answered.directive === 'stop') return answered
    // a pause, in case the service answers at once in place of waiting
    await sleep(betweenMs, asking.signal)
  }
}

function ask(
  { client, sessionKey, run, signal }: Asking,
  input: Omit<ProtocolRequest<'ask'>, 'sessionKey'>,
): Promise<Answered> {
  const idempotencyKey = randomUUID()
  return untilReached(
    (options) => client.protocol('ask', { ...input, sessionKey }, { ...options, idempotencyKey }),
    { signal, pace: run.pace },
  )
}
