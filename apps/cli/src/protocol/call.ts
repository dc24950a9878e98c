import { createHash, randomUUID } from 'node:crypto'
import type { PendingAnswer } from '@svc/contracts/agent-session'
import type { Client } from '@svc/client/client'
import { isPassingCode, isServiceError } from '@svc/contracts/errors'
import {
  type ProtocolOperation,
  type ProtocolOutput,
  type ProtocolRequest,
  isSpoolable,
  protocolContract,
  protocolContracts,
} from '@svc/contracts/protocol'
import { sayIssue } from '@svc/contracts/say-issue'
import { heldAnswersPath, holdAnswers, takeHeldAnswers } from '@svc/runner/files/held-answers'
import { spoolFolder } from '@svc/runner/files/spooled-call'
import { type Cli, openClient, say } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, describeFailure, isUnreachable, usageFailure } from '../output/failure.ts'
import { awaitCheck } from './await-check.ts'
import { withOwnPaths } from './own-paths.ts'
import { sendLedger } from './send-ledger.ts'
import { keepCall, sendKept } from './spool.ts'

const longestCallMs = 60_000

export const spooled = { spooled: true } as const

/**
 * Sends one call of the agent protocol, after those that are still spooled. An update, artifact or delivery that cannot
 * be sent now is spooled too, and `spooled` is the answer.
 */
export async function callProtocol<N extends ProtocolOperation>(
  cli: Cli,
  operation: N,
  candidate: Record<string, unknown>,
): Promise<ProtocolOutput<N> | typeof spooled> {
  const input = parseInput(operation, candidate)
  const idempotencyKey = randomUUID()
  const scratch = cli.env['SVC_TMPDIR']
  const folder = scratch ? spoolFolder(scratch, spoolName(cli, input)) : undefined
  const client = await openClient(cli)
  const earlier: PendingAnswer[] = []
  try {
    await sendEarlierCalls(cli, client, { folder, answers: earlier })
    if (protocolContract(operation).reportsChanges) await sendLedger(cli, client, input)
    const send = () => client.protocol(operation, input, { idempotencyKey, ...patience(operation) })
    const answer = await (mayBeChecked(operation) ? awaitCheck(cli, send) : send())
    return withOwnPaths(withAnswers(answer, [...earlier, ...heldAnswers(answer, scratch)]), cli.env)
  } catch (error) {
    if (scratch) holdForNextReply(cli, scratch, earlier)
    if (folder === undefined || !isSpoolable(operation) || !mayPass(error)) throw error
    keepCall(folder, { operation, input, idempotencyKey, at: new Date().toISOString() })
    say(cli, `${describeFailure(error).line} It is kept and sent with the next call.`)
    return spooled
  }
}

function parseInput<N extends ProtocolOperation>(
  operation: N,
  candidate: Record<string, unknown>,
): ProtocolRequest<N> {
  const given = Object.entries(candidate).filter(([, value]) => value !== undefined)
  const parsed = protocolContracts[operation].input.safeParse(Object.fromEntries(given), {
    error: sayIssue,
  })
  // parsed by the contract of N, which the compiler cannot follow through a generic index
  if (parsed.success) return parsed.data as ProtocolRequest<N>
  const [issue] = parsed.error.issues
  const field = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  throw usageFailure(
    `${operation}: ${field}${issue?.message ?? 'invalid input'}; see svc protocol ${operation} --help.`,
  )
}

interface Earlier {
  folder: string | undefined
  /** Gets the pending answers in their replies, which nobody else reads. */
  answers: PendingAnswer[]
}

/** Sends the calls of the spool. */
async function sendEarlierCalls(
  cli: Cli,
  client: Client,
  { folder, answers }: Earlier,
): Promise<void> {
  if (folder === undefined) return
  const isEmpty = await sendKept(folder, {
    send: async ({ operation, input, idempotencyKey }) => {
      // It was parsed by the contract of its operation before it was kept.
      const request = input as ProtocolRequest<typeof operation>
      const attempt = () =>
        client.protocol(operation, request, { idempotencyKey, ...patience(operation) })
      answers.push(
        ...pendingIn(await (mayBeChecked(operation) ? awaitCheck(cli, attempt) : attempt())),
      )
    },
    mayPass,
    dropped: (call, error) =>
      say(cli, `dropped a kept ${call?.operation ?? 'call'}: ${describeFailure(error).line}`),
  })
  if (isEmpty) return
  throw new CommandFailure(
    'unreachable',
    'The service cannot be reached, and earlier calls wait before this one: try again later.',
    exitCode.unreachable,
  )
}

/** What hands work over waits for the checks before it. */
function mayBeChecked(operation: ProtocolOperation): boolean {
  return operation === 'deliver' || operation === 'record-work'
}

/** The service takes them for shown, and this call has no reply that could carry them. */
function holdForNextReply(cli: Cli, scratch: string, answers: readonly PendingAnswer[]): void {
  if (answers.length === 0) return
  try {
    holdAnswers(heldAnswersPath(scratch), answers)
  } catch {
    say(cli, `These answers cannot be kept for the next call: ${JSON.stringify(answers)}`)
  }
}

/**
 * Answers to questions that came in replies to the supervisor, or to a call of which nothing was printed. They are handed
 * to the agent once, with its next reply that can carry answers.
 */
function heldAnswers(answer: object, scratch: string | undefined): PendingAnswer[] {
  return scratch && 'pendingAnswers' in answer ? takeHeldAnswers(heldAnswersPath(scratch)) : []
}

function pendingIn(answer: { pendingAnswers?: PendingAnswer[] | undefined }): PendingAnswer[] {
  return answer.pendingAnswers ?? []
}

/** The reply, with those answers of earlier replies that it does not repeat. */
function withAnswers<A extends object>(answer: A, earlier: readonly PendingAnswer[]): A {
  if (earlier.length === 0) return answer
  const pending = pendingIn(answer)
  const isNew = (one: PendingAnswer) => pending.every((it) => it.questionId !== one.questionId)
  return { ...answer, pendingAnswers: [...earlier.filter(isNew), ...pending] }
}

/** The request of the run, else what stands for the session without giving away its key. */
function spoolName({ env }: Cli, input: object): string {
  const request = env['SVC_EXECUTION_REQUEST_ID']
  if (request && /^[0-9A-Za-z-]+$/.test(request)) return request
  const sessionKey = 'sessionKey' in input ? String(input.sessionKey) : ''
  return `session-${createHash('sha256').update(sessionKey).digest('hex').slice(0, 16)}`
}

/** What can be kept is not worth a long wait. */
function patience(operation: ProtocolOperation) {
  const signal = AbortSignal.timeout(longestCallMs)
  return isSpoolable(operation) ? { signal, retry: { attempts: 3 } } : { signal }
}

export function mayPass(error: unknown): boolean {
  if (isServiceError(error)) return isPassingCode(error.code)
  if (error instanceof CommandFailure) return error.code === 'unreachable'
  return isUnreachable(error) || isTimeout(error)
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
