import { randomUUID } from 'node:crypto'
import { echoed } from '@svc/contracts/echoed'
import { ServiceError } from '@svc/contracts/errors'
import { version, versionHeader } from '@svc/contracts/version'
import type { Log } from '@svc/process/log'
import { callRefused, requestAnswered } from '@svc/process/measured'
import { Hono, type Next } from 'hono'
import { routePath } from 'hono/route'
import { type Failure, failureOf, failureResponse } from './error-response.ts'
import { handleWithin } from './handling.ts'
import type { HttpContext, HttpEnv } from './request-context.ts'

export type HttpApp = Hono<HttpEnv>

/** An app without routes in which every answer has a request id, and every failure the error shape. */
export function createApp(log: Log): HttpApp {
  const app: HttpApp = new Hono<HttpEnv>()
  app.use((context, next) =>
    handleWithin(
      () => ({ path: context.req.path, traceparent: context.req.header('traceparent') }),
      () => handle(context, next, log),
    ),
  )
  app.onError((error, context) => refuse(failureOf(error, context.get('requestId'), log)))
  app.notFound((context) => refuseRoute(app, context, log))
  return app
}

async function handle(context: HttpContext, next: Next, log: Log): Promise<void> {
  const startedAt = performance.now()
  context.set('requestId', randomUUID())
  await next()
  addHeaders(context)
  requestAnswered.tell(() => ({
    requestId: context.get('requestId'),
    method: context.req.method,
    // of the handler that was reached last
    route: routePath(context),
    status: context.res.status,
    seconds: (performance.now() - startedAt) / 1_000,
  }))
  log.debug(
    {
      requestId: context.get('requestId'),
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      ms: Math.round(performance.now() - startedAt),
    },
    'request',
  )
}

function refuse(failure: Failure): Response {
  callRefused.tell(() => ({ code: failure.body.error.code }))
  return failureResponse(failure)
}

function addHeaders(context: HttpContext): void {
  const { headers } = context.res
  headers.set('x-request-id', context.get('requestId'))
  headers.set('x-content-type-options', 'nosniff')
  const isOfApi = context.req.path.startsWith('/api/')
  if (!isOfApi) return
  headers.set(versionHeader, version)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}

function refuseRoute(app: HttpApp, context: HttpContext, log: Log): Response {
  const { method, path } = context.req
  const allowed = allowedMethods(app, path)
  const refusal =
    allowed.length > 0
      ? new ServiceError('method_not_allowed', `Use ${allowed.join(' or ')} for this address.`)
      : new ServiceError('not_found', `There is nothing at ${method} ${echoed(path)}.`)
  const response = refuse(failureOf(refusal, context.get('requestId'), log))
  if (allowed.length > 0) response.headers.set('allow', allowed.join(', '))
  return response
}

function allowedMethods(app: HttpApp, path: string): string[] {
  const matching = app.routes.filter((route) => route.method !== 'ALL' && matches(route.path, path))
  const methods = new Set(matching.map((route) => route.method))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].toSorted()
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) =>
      part.startsWith(':') ? given[index] !== '' : part === given[index],
    )
  )
}
