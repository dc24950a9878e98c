import { exec } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  type AgentContext,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
  agent,
  methods,
  ndJsonStream,
} from '@agentclientprotocol/sdk'
import { readIfThere } from '../files/durable-file.ts'

/*
 * An agent that speaks the Agent Client Protocol and does what its steps say, one a line: those of SVC_TEST_STEPS, else
 * those of the lines `step: …` of what it is told. Where no step says otherwise, its turn ends well. What comes behind a
 * step `leave` it does where its conversation is gone on with.
 */

const { SVC_TEST_STEPS = '', SVC_TEST_FOLDER = '.', SVC_TMPDIR = '' } = process.env
const { SVC_TEST_OFFERS = SVC_TEST_STEPS } = process.env
const run = promisify(exec)
const known = join(SVC_TEST_FOLDER, 'conversations')
const cancelling = new AbortController()
const has = (step: string) => SVC_TEST_OFFERS.split('\n').includes(step)

interface Turn {
  client: AgentContext
  sessionId: string
}

type Step = (text: string, turn: Turn) => Promise<StopReason | void> | StopReason | void

const steps: Record<string, Step> = {
  /** As models do: in pieces, with how much they use in between. */
  async say(text, turn) {
    for (let at = 0; at < text.length; at += 7) {
      await speak(text.slice(at, at + 7), turn)
      await tell({ sessionUpdate: 'usage_update', used: at, size: 1000 }, turn)
    }
  },
  print: (text) => void process.stdout.write(`${text}\n`),
  log: (text) => void process.stderr.write(`${text}\n`),
  call: (title, turn) =>
    tell({ sessionUpdate: 'tool_call', toolCallId: title, title, kind: 'execute' }, turn),
  plan: (text, turn) =>
    tell(
      {
        sessionUpdate: 'plan',
        entries: text.split(' ').map((content, at) => ({
          content,
          priority: 'medium',
          status: at === 0 ? 'in_progress' : 'pending',
        })),
      },
      turn,
    ),
  cost: (text, turn) => {
    const cost = { amount: Number(text), currency: 'USD' }
    return tell({ sessionUpdate: 'usage_update', used: 1, size: 2, cost }, turn)
  },
  async run(text, turn) {
    const { stdout } = await run(text)
    await speak(stdout, turn)
  },
  async permit(text, turn) {
    const { outcome } = await askFor('execute', text, turn)
    if (outcome.outcome === 'cancelled') return 'cancelled'
    await speak(`${text}: ${outcome.optionId}\n`, turn)
    if (outcome.optionId === 'once') await run(text)
  },
  async edit(path, turn) {
    const { outcome } = await askFor('edit', path, turn)
    await speak(`${path}: ${outcome.outcome === 'selected' ? outcome.optionId : 'none'}\n`, turn)
  },
  async unknown(text, turn) {
    for (const method of [text, methods.client.fs.readTextFile]) {
      const answer = turn.client.request(method, {})
      const code = await answer.catch((error: unknown) =>
        error instanceof RequestError ? error.code : String(error),
      )
      await speak(`${method}: ${String(code)}\n`, turn)
    }
  },
  async flood(text, turn) {
    for (let at = 0; at < Number(text); at += 1) await speak(`${at} ${'x'.repeat(1000)}\n`, turn)
  },
  long: (text) =>
    void process.stdout.write(`{"jsonrpc":"2.0","x":"${'y'.repeat(Number(text))}"}\n`),
  /** Goes on once that file is there. */
  async until(path) {
    while (!existsSync(path)) await sleep(20)
  },
  /** Asks, and does not wait for the answer. */
  ask: (text, turn) => void askFor('execute', text, turn),
  deaf() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  },
  die: () => void process.kill(process.pid, 'SIGKILL'),
  async wait() {
    await sleep(3_600_000, undefined, { signal: cancelling.signal }).catch(() => undefined)
    return 'cancelled' as const
  },
  refuse(text) {
    throw new RequestError(-32603, 'Internal error', { details: text })
  },
  // a test says what is a reason
  end: (text) => text as StopReason,
  /** What `svc protocol attach` leaves behind, where no service would take it. */
  mark() {
    const path = join(SVC_TMPDIR, `run-${process.env['SVC_EXECUTION_REQUEST_ID']}.json`)
    const facts: object = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...facts, sessionKey: 'sess_test' }))
  },
}

function tell(update: SessionUpdate, { client, sessionId }: Turn): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update })
}

function speak(text: string, turn: Turn): Promise<void> {
  return tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, turn)
}

function askFor(
  kind: 'execute' | 'edit',
  title: string,
  { client, sessionId }: Turn,
): Promise<RequestPermissionResponse> {
  const what =
    kind === 'execute' ? { rawInput: { command: title } } : { locations: [{ path: title }] }
  return client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: title, kind, title, ...what },
    options: [
      { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
      { optionId: 'once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  })
}

const conversations = () => (readIfThere(known) ?? '').split('\n').filter((id) => id !== '')

function requireKnown(sessionId: string): object {
  if (!conversations().includes(sessionId)) throw new RequestError(-32602, 'No such session')
  return {}
}

function begin(): NewSessionResponse {
  if (has('signed-out')) throw RequestError.authRequired()
  const sessionId = `conversation-${conversations().length}${has('long-id') ? 'x'.repeat(1000) : ''}`
  writeFileSync(known, [...conversations(), sessionId].join('\n'))
  const options = ['small', 'large'].map((value) => ({ value, name: value }))
  const model = { id: 'm', name: 'Model', category: 'model', currentValue: 'small', options }
  return { sessionId, configOptions: [{ ...model, type: 'select' }] }
}

function stepsIn(told: string, left: string): string[] {
  if (SVC_TEST_STEPS !== '') return SVC_TEST_STEPS.split('\n')
  const found = [...told.matchAll(/^step: (.+)$/gm)].map(([, step]) => step ?? '')
  return found.length > 0 ? found : (readIfThere(left) ?? '').split('\n')
}

async function takeTurn(told: string, turn: Turn): Promise<StopReason> {
  const left = join(SVC_TEST_FOLDER, turn.sessionId)
  const all = stepsIn(told, left)
  for (const [at, step] of all.entries()) {
    const [name = ''] = step.split(' ', 1)
    if (name === 'leave') {
      writeFileSync(left, all.slice(at + 1).join('\n'))
      break
    }
    const stopReason = await steps[name]?.(step.slice(name.length + 1), turn)
    if (stopReason) return stopReason
  }
  if (has('asks-after')) setTimeout(() => void askFor('execute', 'date', turn), 50)
  return 'end_turn'
}

function serve(): void {
  const input = Readable.toWeb(
    has('mute') ? new Readable({ read: () => undefined }) : process.stdin,
  )
  const output = Writable.toWeb(process.stdout)
  if (has('mute')) process.stdin.resume()
  if (has('stay')) setInterval(() => undefined, 60_000)
  const sessionCapabilities = has('resumes') ? { resume: {} } : {}
  agent({ name: 'stand-in' })
    .onRequest('initialize', () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: { loadSession: has('loads'), sessionCapabilities },
    }))
    .onRequest('session/new', begin)
    .onRequest('session/set_config_option', ({ params }) => {
      process.stderr.write(`${params.configId} is ${String(params.value)}\n`)
      return { configOptions: [] }
    })
    .onRequest('session/resume', ({ params }) => requireKnown(params.sessionId))
    .onRequest('session/load', async ({ params: { sessionId }, client }) => {
      const loaded = requireKnown(sessionId)
      const replay = () => speak('what was said before', { client, sessionId })
      await replay()
      // some answer in the middle of it
      setTimeout(() => void replay(), 50)
      return loaded
    })
    .onNotification('session/cancel', () => {
      process.stderr.write('told to leave off\n')
      cancelling.abort()
    })
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      const texts = prompt.map((block) => (block.type === 'text' ? block.text : ''))
      process.stderr.write(`told in ${texts.length}: ${texts.at(-1)}\n`)
      const stopReason = await takeTurn(texts.join('\n'), { client, sessionId })
      return { stopReason, usage: { inputTokens: 40, outputTokens: 2, totalTokens: 42 } }
    })
    // the web streams of Node and of the SDK differ by name alone
    .connect(
      ndJsonStream(output as WritableStream<Uint8Array>, input as ReadableStream<Uint8Array>),
    )
}

if (process.argv.includes('--version')) process.stdout.write('1.0.0\n')
else serve()
