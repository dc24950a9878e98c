import { restContracts } from '@svc/contracts/rest'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import type { APIResponse, Page, Route } from 'playwright-core'
import { operationOf } from './actions-of-app.ts'

/** What becomes of a call on its way to the service, or of the answer on its way back. */
export const faults = [
  'forbidden',
  'conflict',
  'unauthenticated',
  'rate_limited',
  'unavailable',
  // it is not answered, and the connection breaks
  'cut',
  // somebody else has changed it: the service itself says so
  'revision_mismatch',
  // it is carried out, and the connection breaks
  'lost',
] as const
export type Fault = (typeof faults)[number]

/** As the service refuses, each with its own words. */
const refusals = {
  forbidden: { status: 403, code: 'forbidden', message: 'This takes a permission of others.' },
  conflict: { status: 409, code: 'invalid_transition', message: 'It is not at that point.' },
  unauthenticated: { status: 401, code: 'unauthenticated', message: 'Send a token.' },
  rate_limited: { status: 429, code: 'rate_limited', message: 'Too many calls: wait 20 s.' },
  unavailable: { status: 503, code: 'unavailable', message: 'The database is away.' },
} as const

/** Those of which nobody knows whether the call was carried out: the page offers to send it again. */
export const unanswered: readonly Fault[] = ['rate_limited', 'unavailable', 'cut', 'lost']

/** What the page has to say. */
export const said: Readonly<Record<Exclude<Fault, 'revision_mismatch'>, string | RegExp>> = {
  forbidden: refusals.forbidden.message,
  conflict: refusals.conflict.message,
  unauthenticated: /^You are signed out\.(?: What you have typed is kept|$)/,
  rate_limited: refusals.rate_limited.message,
  unavailable: refusals.unavailable.message,
  cut: /^The service did not (answer|say)/,
  lost: /^The service did not (answer|say)/,
}

const contracts: Readonly<Record<string, EndpointContract>> = restContracts

/** Whether it makes something that was not there. */
export function makes(operation: string): boolean {
  return contracts[operation]?.status === 201
}

/** Between a page and the service, of one operation. */
export interface Edge {
  /** From here on; undefined lets calls through. */
  set: (fault: Fault | undefined) => void
  /** The page has sent it, under a fault that was not met before. */
  met: () => Promise<void>
  /** How often the page has sent it since the fault was set. */
  tries: () => number
  /** What hangs is cut. */
  cut: () => void
  /** What the page reads after a call whose answer was lost waits until then, so that it does not see what came of it before. */
  release: () => void
  /** Whether the page says which revision it goes on top of. */
  hasRevision: () => boolean
  /** What the service refused by itself. */
  refusal: () => string | undefined
  /** How many calls the service has carried out, and how many keys they had. */
  carriedOut: () => { calls: number; keys: number }
  /** The page has an answer that it was carried out. */
  isAnswered: () => boolean
}

/** `onCarriedOut` is waited for before anything else comes of it; `holdsReads`: until `release`, where an answer was lost. */
export async function openEdge(
  page: Page,
  operation: string,
  onCarriedOut: () => Promise<void>,
  holdsReads: boolean,
): Promise<Edge> {
  let fault: Fault | undefined
  let tries = 0
  let met = Promise.withResolvers<void>()
  let cut = Promise.withResolvers<void>()
  let held: PromiseWithResolvers<void> | undefined
  let hasRevision = false
  let refusal: string | undefined
  let calls = 0
  let isAnswered = false
  // whoever is refused so asks whether the sign-in has ended, or is good elsewhere
  let isToAsk = false
  const keys = new Set<string>()

  const fetched = async (route: Route, postData?: string): Promise<APIResponse> => {
    const answer = await route.fetch(postData === undefined ? {} : { postData })
    if (!answer.ok()) {
      refusal = messageOf(await answer.text())
      return answer
    }
    calls += 1
    keys.add(route.request().headers()['idempotency-key'] ?? '')
    if (calls === 1) await onCarriedOut()
    return answer
  }
  const answer = async (route: Route): Promise<void> => {
    const met = fault
    if (met === undefined) {
      const answered = await fetched(route)
      isAnswered ||= answered.ok()
      return route.fulfill({ response: answered })
    }
    if (met === 'cut') {
      await cut.promise
      return route.abort('connectionreset')
    }
    if (met === 'lost') {
      if (holdsReads) held ??= Promise.withResolvers()
      await fetched(route)
      return route.abort('connectionreset')
    }
    if (met === 'revision_mismatch') {
      // once; what the page sends by itself then is lost
      fault = 'lost'
      const { expectedRevision = 0, ...rest } = bodyOf(route)
      const postData = JSON.stringify({ ...rest, expectedRevision: Number(expectedRevision) + 99 })
      return route.fulfill({ response: await fetched(route, postData) })
    }
    isToAsk = met === 'unauthenticated'
    return refuse(route, met)
  }
  const pass = async (route: Route): Promise<void> => {
    const request = route.request()
    const called = operationOf(request.method(), request.url())
    if (called === 'listSignIns' && isToAsk) {
      isToAsk = false
      return refuse(route, 'unauthenticated')
    }
    if (called !== operation || isQuestion(operation, route)) {
      if (request.method() === 'GET') await held?.promise
      return route.fallback()
    }
    tries += 1
    hasRevision ||= 'expectedRevision' in bodyOf(route)
    met.resolve()
    await answer(route)
  }
  // what is under way when its page goes has no page to answer
  await page.route('**/api/**', (route) =>
    pass(route).catch((error: unknown) => {
      if (!/disposed|closed/.test(String(error))) throw error
    }),
  )
  return {
    set: (next) => {
      fault = next
      tries = 0
      refusal = undefined
      met = Promise.withResolvers()
      cut = Promise.withResolvers()
    },
    met: () => met.promise,
    tries: () => tries,
    cut: () => cut.resolve(),
    release: () => {
      held?.resolve()
      held = undefined
    },
    hasRevision: () => hasRevision,
    refusal: () => refusal,
    carriedOut: () => ({ calls, keys: keys.size }),
    isAnswered: () => isAnswered,
  }
}

function refuse(route: Route, by: keyof typeof refusals): Promise<void> {
  const { status, code, message } = refusals[by]
  return route.fulfill({
    status,
    headers: { 'retry-after': '20' },
    json: { error: { code, message, requestId: 'r' } },
  })
}

/** Where a deletion is not confirmed the service says what it would be, and nothing is done. */
function isQuestion(operation: string, route: Route): boolean {
  const body = contracts[operation]?.body
  const isConfirmed = body !== undefined && body !== 'bytes' && 'shape' in body
  return isConfirmed && 'confirm' in Object(body.shape) && bodyOf(route)['confirm'] !== true
}

function bodyOf(route: Route): Record<string, unknown> {
  const request = route.request()
  if (request.headers()['content-type'] !== 'application/json') return {}
  // what the page sends as JSON is an object
  return JSON.parse(request.postData() ?? '{}') as Record<string, unknown>
}

function messageOf(text: string): string | undefined {
  // the shape of every refusal
  return (JSON.parse(text) as { error?: { message?: string } }).error?.message
}
