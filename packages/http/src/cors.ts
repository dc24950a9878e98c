const allowedHeader =
  /^(authorization|content-type|accept|last-event-id|mcp-[a-z0-9-]+|traceparent|tracestate|baggage)$/

const exposed = 'WWW-Authenticate, MCP-Protocol-Version, Retry-After, X-Request-Id'

/** `origin` has been let in; `*` is for documents that anybody may read. No cookie is ever let in. */
export function allowOrigin(response: Response, origin: string | undefined): Response {
  if (origin !== '*') response.headers.append('vary', 'Origin')
  if (origin === undefined) return response
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-expose-headers', exposed)
  return response
}

/** The answer to a preflight, which carries no token. */
export function preflight(request: Request, methods: readonly string[]): Response {
  const asked = request.headers.get('access-control-request-headers') ?? ''
  const headers = asked
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => allowedHeader.test(name))
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      ...(headers.length > 0 && { 'access-control-allow-headers': headers.join(', ') }),
      'access-control-max-age': '600',
    },
  })
}
