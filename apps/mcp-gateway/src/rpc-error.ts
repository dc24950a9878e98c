/** Thrown by a handler; both SDKs make the JSON-RPC error of its `code`, `message` and `data`. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const rpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  /** An error of the transport and not of a method. */
  transport: -32000,
  legacyResourceNotFound: -32002,
} as const

/** The answer to what was refused before a message was read. */
export function rpcFailure(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } }
  return Response.json(body, { status, headers })
}
