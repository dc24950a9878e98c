import { type IncomingMessage, type ServerResponse, createServer, request as call } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '@svc/testing/listen'

export interface Seen {
  path: string
  body: string
}

/** A request on its way, stopped for as long as a test needs. */
export interface Gate {
  /** Resolves when the request has arrived. */
  arrived: Promise<Seen>
  /** Resolves when its caller has gone, which is not yet so when the caller's process has died. */
  left: Promise<void>
  /** Lets it pass; one whose caller has gone meanwhile is dropped. */
  open: () => void
}

/** Stands between a runner and the service and can stop what passes. */
export interface Proxy extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly Seen[]
  /** Stops the next request whose path ends so. */
  hold: (pathEnd: string) => Gate
  /** From now on, until the answer is called. */
  fail: (outage: Outage) => () => void
  /** Passes the next such request on and cuts the connection in place of its answer. */
  loseAnswer: (pathEnd: string, answer?: (text: string) => boolean) => Promise<Seen>
}

/** Connections are cut; or they stand, and nothing comes through to the service, or no answer comes back. */
export type Outage = 'cut' | 'requests lost' | 'answers lost'

interface Loss {
  pathEnd: string
  isMeant: (text: string) => boolean
  resolve: (seen: Seen) => void
}
interface HeldGate {
  pathEnd: string
  arrive: (seen: Seen) => void
  leave: () => void
  opened: Promise<void>
}

export async function openProxy(target: () => string): Promise<Proxy> {
  const seen: Seen[] = []
  const gates = new Set<HeldGate>()
  const losses = new Set<Loss>()
  /** On their way, or left without an answer. */
  const waiting = new Set<ServerResponse>()
  let outage: Outage | undefined

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const arrived = { path: request.url ?? '', body: body.toString('utf8') }
    seen.push(arrived)
    const gate = [...gates].find(({ pathEnd }) => arrived.path.endsWith(pathEnd))
    if (gate !== undefined) {
      gates.delete(gate)
      request.socket.once('close', gate.leave)
      gate.arrive(arrived)
      await gate.opened
    }
    if (response.destroyed || request.socket.destroyed) return
    if (outage === 'cut') return void response.destroy()
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
    if (outage === 'requests lost') return
    forward(target(), { request, body }, response, {
      isLost: (text) => isLost(arrived, text),
      isStranded: () => outage === 'answers lost',
    })
  }

  function isLost(arrived: Seen, text: string): boolean {
    const loss = [...losses].find(({ pathEnd }) => arrived.path.endsWith(pathEnd))
    if (loss === undefined || !loss.isMeant(text)) return false
    losses.delete(loss)
    loss.resolve(arrived)
    return true
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  return {
    ...(await listen(server)),
    seen,
    hold(pathEnd) {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<Seen>()
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      const { promise: opened, resolve: open } = Promise.withResolvers<void>()
      gates.add({ pathEnd, arrive, leave, opened })
      return { arrived, left, open }
    },
    fail(kind) {
      outage = kind
      const cutAll = () => waiting.forEach((response) => response.destroy())
      if (kind === 'cut') cutAll()
      return () => {
        outage = undefined
        cutAll()
      }
    },
    loseAnswer(pathEnd, isMeant = () => true) {
      const { promise, resolve } = Promise.withResolvers<Seen>()
      losses.add({ pathEnd, isMeant, resolve })
      return promise
    },
  }
}

interface Fate {
  isLost: (text: string) => boolean
  /** No answer comes, and the connection stands. */
  isStranded: () => boolean
}

/** `isLost` judges the whole answer, whose beginning waits for its end; one that is lost ends as a cut connection. */
function forward(
  target: string,
  { request: { method, url, headers }, body }: { request: IncomingMessage; body: Buffer },
  response: ServerResponse,
  { isLost, isStranded }: Fate,
): void {
  const giveUp = () => response.destroy()
  const options = { method, headers, agent: false }
  const upstream = call(new URL(url ?? '/', target), options, (answer) => {
    buffer(answer).then((whole) => {
      if (isStranded()) return
      if (isLost(whole.toString('utf8'))) giveUp()
      else response.writeHead(answer.statusCode ?? 500, answer.headers).end(whole)
    }, giveUp)
  })
  upstream.once('error', giveUp)
  response.once('close', () => upstream.destroy())
  upstream.end(body)
}
