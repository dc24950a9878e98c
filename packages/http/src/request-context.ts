import type { Context } from 'hono'

/** What the server tells its requests: `stopping` ends long polls and feeds, `draining` makes /readyz say no. */
export interface ServerLife {
  readonly stopping: AbortSignal
  readonly isDraining: () => boolean
}

export interface HttpEnv {
  Variables: { requestId: string }
  /** Absent when an app is asked without a server. */
  Bindings: {
    life?: ServerLife
    incoming?: { socket: { remoteAddress?: string | undefined; localAddress?: string | undefined } }
  }
}

export type HttpContext = Context<HttpEnv>

/** By what a request may say who sends it. */
export interface Presented {
  /** The token of `Authorization: Bearer <token>`; another scheme is as good as none. */
  bearer: string | undefined
  /** Without that header, the cookies as they came. */
  cookies: string | undefined
  /** The workspace that a browser means, which its cookies do not say. */
  workspace: string | undefined
  /** A browser says these of every request that changes something, and no script of another site can make it lie. */
  method: string
  origin: string | undefined
  fetchSite: string | undefined
}

export function readPresented({ req }: HttpContext): Presented {
  const authorization = req.header('authorization')
  return {
    bearer: /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1],
    cookies: authorization === undefined ? req.header('cookie') : undefined,
    workspace: req.header('x-svc-workspace'),
    method: req.method,
    origin: req.header('origin'),
    fetchSite: req.header('sec-fetch-site'),
  }
}

/** Aborts when the client has gone; with `orStopping` also when the server stops. */
export function requestSignal(context: HttpContext, orStopping = false): AbortSignal {
  const gone = context.req.raw.signal
  const stopping = context.env.life?.stopping
  return orStopping && stopping ? AbortSignal.any([gone, stopping]) : gone
}
