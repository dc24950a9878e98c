import { ServiceError } from '@svc/contracts/errors'
import { validationFailed } from './validation.ts'

/**
 * The body as it came. The server reads no more of one than its Content-Length says, so that one which says it needs no
 * stream; any other is counted while it streams.
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  refuseEncoding(request)
  const length = request.headers.get('content-length')
  if (length === null) return readStream(request, maxBytes)
  if (Number(length) > maxBytes) throw tooLarge(maxBytes)
  return new Uint8Array(await request.arrayBuffer().catch(endedEarly))
}

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop by an error cancels the stream.
  for await (const chunk of chunksOf(request)) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return concat(chunks, size)
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* request.body ?? []
  } catch (cause) {
    endedEarly(cause)
  }
}

function endedEarly(cause: unknown): never {
  throw new ServiceError(
    'validation_failed',
    'The body ended early: send the request again.',
    undefined,
    { cause },
  )
}

/** The JSON value of the body, or an empty object when there is no body. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !isJson(type)) throw unsupported('Send JSON as application/json in UTF-8.')
  const bytes = await readBytes(request, maxBytes)
  if (bytes.byteLength === 0) return {}
  if (type === null) throw unsupported('Say Content-Type: application/json.')
  return parseJson(bytes)
}

export async function readOctets(request: Request, maxBytes: number): Promise<Uint8Array> {
  const type = request.headers.get('content-type')
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/octet-stream') {
    throw unsupported('Send the bytes as application/octet-stream.')
  }
  return readBytes(request, maxBytes)
}

function isJson(type: string): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type)
}

function refuseEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Send the body without Content-Encoding.')
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw validationFailed([{ path: '', message: 'the body is not JSON in UTF-8' }])
  }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('too_large', `Keep the body within ${maxBytes} bytes.`, { maxBytes })
}

function unsupported(message: string): ServiceError {
  return new ServiceError('unsupported_media_type', message)
}
