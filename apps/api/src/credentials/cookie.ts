import { parse, serialize } from 'hono/utils/cookie'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * The cookie of a sign-in. Browsers send cookies to every port of a host: on this computer, where several services may
 * run, its name says which one it is of. Decision 51.
 */
export interface SignInCookie {
  read: (cookies: string | undefined) => string | undefined
  /** Value of a `Set-Cookie` header. */
  set: (secret: string) => string
  clear: () => string
}

export function signInCookie(baseUrl: string): SignInCookie {
  const { protocol, hostname, port } = new URL(baseUrl)
  const secure = protocol === 'https:'
  const name =
    secure || !loopbackNames.includes(hostname)
      ? '__Host-svc_session'
      : `svc_session_${port || '80'}`
  const options = { httpOnly: true, sameSite: 'Lax', path: '/', secure } as const
  const write = (value: string, more: { maxAge?: number }) =>
    // a name that is computed says nothing of what its prefix demands, which the options give
    serialize<string>(name, value, { ...options, ...more })
  return {
    read: (cookies) => (cookies === undefined ? undefined : parse(cookies, name)[name]),
    set: (secret) => write(secret, {}),
    clear: () => write('', { maxAge: 0 }),
  }
}
