export interface Browser {
  /** By path of the service, or by any address; a redirect is answered as such. */
  get: (address: string) => Promise<Response>
  send: (address: string, fields: Record<string, string>) => Promise<Response>
  /** The tokens of all forms on the page at this path. */
  formTokens: (path: string) => Promise<string[]>
  give: (cookie: string) => void
}

/** Keeps cookies as a browser does, each for the origin that set it. */
export function createBrowser(baseUrl: string): Browser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: URL) => {
    const jar = jars.get(url.origin) ?? new Map<string, string>()
    jars.set(url.origin, jar)
    return jar
  }
  const put = (url: URL, cookie: string) => {
    const [pair = '', ...attributes] = cookie.split(';')
    const [name = '', ...value] = pair.split('=')
    const isCleared = attributes.some((one) => /^\s*max-age=0$/i.test(one))
    if (isCleared) jarOf(url).delete(name)
    else jarOf(url).set(name, value.join('='))
  }
  const ask = async (address: string, init: RequestInit) => {
    const url = new URL(address, baseUrl)
    const cookie = [...jarOf(url)].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { cookie, origin: url.origin },
    })
    for (const set of answer.headers.getSetCookie()) put(url, set)
    return answer
  }
  const get: Browser['get'] = (address) => ask(address, {})
  return {
    get,
    send: (address, fields) => ask(address, { method: 'POST', body: new URLSearchParams(fields) }),
    formTokens: async (path) => {
      const text = await (await get(path)).text()
      return [...text.matchAll(/name="form_token" value="([^"]+)"/g)].map(([, one = '']) => one)
    },
    give: (cookie) => put(new URL(baseUrl), cookie),
  }
}
