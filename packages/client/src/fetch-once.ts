import type { Surroundings } from './surroundings.ts'

/** The one place that knows how a call travels from a browser, which adds the cookie of its sign-in. */
export const fetchOnce: Surroundings['sendOnce'] = async (baseUrl, request, signal) => {
  const { method, path, headers, body } = request
  const response = await fetch(baseUrl + path, {
    method,
    headers,
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'error',
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: partsOf(response.body),
  }
}

/** Not every browser of today reads a stream by `for await`. */
async function* partsOf(body: Response['body']): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // what is read no further is not sent either
    await reader.cancel().catch(() => undefined)
  }
}
