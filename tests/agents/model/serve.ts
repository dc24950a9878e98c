import { type IncomingMessage, createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { listen } from '@svc/testing/listen'
import { type Conversation, type Dialect, type Reply, json } from './dialect.ts'
import { type Call, type Hands, type Refusal, type Step, stepsTaken } from './steps.ts'

/** What the model does from now on. */
export interface Plan {
  steps: readonly Step[]
  /** In place of the next steps. */
  refusal?: Refusal
  /** Before the step of that number is answered. */
  before?: (step: number) => void | Promise<void>
}

/** A request for a step of the plan. */
export interface Asked extends Conversation {
  at: number
  step: number
}

/** A maker's API on loopback, behind which a plan stands in place of a model. */
export interface ModelServer extends AsyncDisposable {
  url: string
  follow: (plan: Plan) => void
  asked: readonly Asked[]
  /** How often it has answered, also where it was not the plan's turn, each time for the same price. */
  answered: () => number
  /** Methods and paths of what it could not answer. */
  unknown: readonly string[]
}

/** What it answers where it is not the plan's turn, such as when it is asked for the title of a conversation. */
const aside = 'Work on an objective'

export async function serveModel(dialect: Dialect, hands: Hands): Promise<ModelServer> {
  let plan: Plan = { steps: [] }
  let answers = 0
  const asked: Asked[] = []
  const unknown: string[] = []

  async function replyTo(request: IncomingMessage): Promise<Reply> {
    const path = new URL(request.url ?? '/', 'http://model').pathname
    const body = await bodyOf(request)
    const conversation = dialect.read(path, body)
    if (conversation === undefined) {
      const reply = dialect.other(path)
      if (reply === undefined) unknown.push(`${request.method} ${path}`)
      return reply ?? json({ error: { message: 'not here' } }, 404)
    }
    answers += 1
    const { model, isStreamed, offered, said } = conversation
    const reply = { id: String(answers), model, isStreamed }
    if (offered.length === 0) return dialect.answer({ ...reply, content: { text: aside } })
    const step = stepsTaken(plan.steps, said)
    asked.push({ ...conversation, at: Date.now(), step })
    await plan.before?.(step)
    if (plan.refusal !== undefined) return refused(plan.refusal)
    const next = plan.steps[step] ?? { say: 'There is nothing left to do.' }
    return dialect.answer({ ...reply, content: contentOf(next, hands, offered) })
  }

  const server = createServer((request, response) => {
    replyTo(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => {
        unknown.push(`${request.method} ${request.url}: ${String(error)}`)
        response.writeHead(500).end()
      },
    )
  })
  const { url, [Symbol.asyncDispose]: close } = await listen(server)
  return {
    url,
    asked,
    answered: () => answers,
    unknown,
    follow(next) {
      plan = next
      asked.length = 0
    },
    [Symbol.asyncDispose]: close,
  }
}

function refused({ status, headers = {}, body }: Refusal): Reply {
  const reply = json(body, status)
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

function contentOf(
  step: Step,
  hands: Hands,
  offered: readonly string[],
): { text: string } | { call: Call } {
  if ('say' in step) return { text: step.say }
  if ('run' in step) return { call: hands.run(step.run, offered) }
  return { call: hands.write(step.write, step.content, offered) }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const sent = await buffer(request)
  const whole = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
  if (whole.length === 0) return undefined
  return JSON.parse(whole.toString('utf8'))
}
