import type { Context } from 'hono'

/** What the server tells its requests: `stopping` ends long polls and feeds, `draining` makes /readyz say no. */
export interface ServerLife {
  readonly stopping: AbortSignal
  readonly isDraining: () => boolean
}

export interface HttpEnv {
  Variables: { requestId: string }
  /** Absent when an app is asked without a server. */
  Bindings: { life?: ServerLife; incoming?: { socket: { remoteAddress?: string | undefined } } }
}

export type HttpContext = Context<HttpEnv>

/** `Authorization: Bearer <token>`; another scheme is as good as none. */
export function readBearer(context: HttpContext): string | undefined {
  return /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

/** Aborts when the client has gone; with `orStopping` also when the server stops. */
export function requestSignal(context: HttpContext, orStopping = false): AbortSignal {
  const gone = context.req.raw.signal
  const stopping = context.env.life?.stopping
  return orStopping && stopping ? AbortSignal.any([gone, stopping]) : gone
}
