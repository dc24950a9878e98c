import { knownDays } from '@svc/domain/people/known-browser'
import { parse, serialize } from 'hono/utils/cookie'

/**
 * A cookie that holds a secret. Browsers send cookies to every port of a host: on this computer, where several services may
 * run, its name says which one it is of. Decision 51.
 */
export interface SecretCookie {
  read: (cookies: string | undefined) => string | undefined
  /** Value of a `Set-Cookie` header. */
  set: (secret: string) => string
  clear: () => string
}

/** The cookie of a sign-in. It lasts until the browser is closed or the server ends the sign-in. */
export function signInCookie(baseUrl: string): SecretCookie {
  return cookieOf(baseUrl, 'session', {})
}

/** The cookie of a person who was sent to an OpenID provider and is to come back. */
export function openIdCookie(baseUrl: string): SecretCookie {
  return cookieOf(baseUrl, 'openid', { maxAge: 600 })
}

/** The cookie by which a browser is known that has signed in with a password before. */
export function knownBrowserCookie(baseUrl: string): SecretCookie {
  return cookieOf(baseUrl, 'known', { maxAge: knownDays * 86_400 })
}

function cookieOf(
  baseUrl: string,
  kind: 'session' | 'openid' | 'known',
  lasting: { maxAge?: number },
): SecretCookie {
  const { protocol, port } = new URL(baseUrl)
  const secure = protocol === 'https:'
  // plain http is served on this computer alone, where cookies of all ports share one jar: the port tells services apart
  const name = secure ? `__Host-svc_${kind}` : `svc_${kind}_${port || '80'}`
  const options = { httpOnly: true, sameSite: 'Lax', path: '/', secure } as const
  const write = (value: string, more: { maxAge?: number }) =>
    // a name that is computed says nothing of what its prefix demands, which the options give
    serialize<string>(name, value, { ...options, ...more })
  return {
    read: (cookies) => (cookies === undefined ? undefined : parse(cookies, name)[name]),
    set: (secret) => write(secret, lasting),
    clear: () => write('', { maxAge: 0 }),
  }
}
