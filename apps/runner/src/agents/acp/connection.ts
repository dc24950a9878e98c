import {
  type AnyMessage,
  type ClientContext,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  client,
  methods,
} from '@agentclientprotocol/sdk'
import { version } from '@svc/contracts/version'
import type { Message } from './message.ts'

export type { RequestPermissionOutcome, RequestPermissionRequest }

/** The agent answered a request with a JSON-RPC error. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal'
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** What the agent answered is not trusted to be what the protocol says. */
type Answer = unknown

/** One connection with one agent, on which it is spoken to. */
export interface Connection extends Disposable {
  /** The version of the protocol that this client speaks. */
  readonly version: number
  /** Takes an answer or a request of the agent. Notifications are read elsewhere. */
  receive: (message: Message) => void
  initialize: () => Promise<Answer>
  newSession: (session: NewSession) => Promise<Answer>
  /** Goes on with a conversation, either without its history or with all of it as updates. */
  goOn: (how: 'resume' | 'load', session: NewSession & { sessionId: string }) => Promise<Answer>
  setOption: (sessionId: string, configId: string, value: string) => Promise<Answer>
  /** By `session/set_model`, which agents know that are older than configuration options. */
  setModel: (sessionId: string, modelId: string) => Promise<Answer>
  prompt: (sessionId: string, texts: readonly string[]) => Promise<Answer>
  cancel: (sessionId: string) => Promise<void>
}

export interface NewSession {
  cwd: string
  additionalDirectories?: string[]
}

export interface Wire {
  /** Resolves once the agent has room for another message. */
  send: (message: Message) => Promise<void>
  /** Decides a request for a permission; `signal` is aborted where nobody waits for that any more. */
  decide: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => Promise<RequestPermissionOutcome>
}

/**
 * The client's side of the protocol. Nothing of this machine is offered, and whatever an agent asks for but a permission
 * is answered with an error.
 */
export function connect({ send, decide }: Wire): Connection {
  let controller: ReadableStreamDefaultController<AnyMessage> | undefined
  const readable = new ReadableStream<AnyMessage>({ start: (its) => void (controller = its) })
  const writable = new WritableStream<AnyMessage>({ write: (message) => send({ ...message }) })
  const connection = client({ name: 'svc' })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => ({
      outcome: await decide(params, signal),
    }))
    .connect({ readable, writable })
  const { agent } = connection
  const ask = <T>(answer: Promise<T>) => answer.catch(explain)

  return {
    version: PROTOCOL_VERSION,
    // the SDK looks at it before it takes it for one
    receive: (message) => controller?.enqueue(message as unknown as AnyMessage),
    initialize: () =>
      ask(
        agent.request(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: {
            fs: { readTextFile: false, writeTextFile: false },
            terminal: false,
          },
          clientInfo: { name: 'svc', version },
        }),
      ),
    newSession: (session) =>
      ask(agent.request(methods.agent.session.new, { ...session, mcpServers: [] })),
    goOn: (how, session) =>
      ask(agent.request(methods.agent.session[how], { ...session, mcpServers: [] })),
    setOption: (sessionId, configId, value) =>
      ask(agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value })),
    setModel: (sessionId, modelId) =>
      ask(agent.request('session/set_model', { sessionId, modelId })),
    prompt: (sessionId, texts) => ask(promptOf(agent, sessionId, texts)),
    cancel: (sessionId) => agent.notify(methods.agent.session.cancel, { sessionId }),
    [Symbol.dispose]: () => connection.close(),
  }
}

function promptOf(agent: ClientContext, sessionId: string, texts: readonly string[]) {
  const prompt = texts.map((text) => ({ type: 'text' as const, text }))
  return agent.request(methods.agent.session.prompt, { sessionId, prompt })
}

function explain(error: unknown): never {
  if (!(error instanceof RequestError)) throw error
  throw new AgentRefusal(`${error.message}${detailsOf(error.data)}`, error.code)
}

/** Many put what happened into the data, and a word such as "Internal error" before it. */
function detailsOf(data: unknown): string {
  if (typeof data === 'string') return `: ${data}`
  const details =
    typeof data === 'object' && data !== null && 'details' in data ? data.details : undefined
  return typeof details === 'string' ? `: ${details}` : ''
}
