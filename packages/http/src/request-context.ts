import type { Context } from 'hono'

/** What the server tells its requests: `stopping` ends long polls and feeds, `draining` makes /readyz say no. */
export interface ServerLife {
  readonly stopping: AbortSignal
  readonly isDraining: () => boolean
}

export interface HttpEnv {
  Variables: { requestId: string }
  /** `life` is absent when an app is asked without a server. */
  Bindings: { life?: ServerLife }
}

export type HttpContext = Context<HttpEnv>

/** Aborts when the client has gone; with `orStopping` also when the server stops. */
export function requestSignal(context: HttpContext, orStopping = false): AbortSignal {
  const gone = context.req.raw.signal
  const stopping = context.env.life?.stopping
  return orStopping && stopping ? AbortSignal.any([gone, stopping]) : gone
}
