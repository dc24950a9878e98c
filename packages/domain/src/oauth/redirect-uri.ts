const mostCharacters = 2_000

/**
 * A domain of whoever makes the application, in reverse: RFC 8252, 7.1. What systems and browsers open by themselves has
 * no such scheme, so none of it has to be listed, whichever system adds the next.
 */
const reversedDomain = /^[a-z]{2,}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+:$/

/** Those without a dot that editors and assistants in use have claimed, and take such an answer by. */
const knownSchemes: ReadonlySet<string> = new Set([
  'claude:',
  'cursor:',
  'vscode-insiders:',
  'vscode:',
  'windsurf:',
  'zed:',
])

/** An address of the computer itself, and nothing that only looks like one of its names. */
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(:[1-9][0-9]{0,4})?(?=[/?]|$)/

/** A host that means nothing more where it stands in a header. */
const plainAuthority = /^https:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?(?=[/?]|$)/i

/**
 * Whether a client may be registered with it: https anywhere, http on the person's own computer alone, or a scheme that
 * nothing but an application of theirs has claimed. It is kept and compared as it was sent, so nothing that a parser would repair is taken.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > mostCharacters || !/^[\x21-\x7e]+$/.test(text)) return false
  if (/[\\#*<>"`{}|^]/.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return loopback.test(text)
  if (url.protocol === 'https:') return plainAuthority.test(text)
  const isClaimed = knownSchemes.has(url.protocol) || reversedDomain.test(url.protocol)
  return isClaimed && !/^[^:]*:\/\/[^/?]*@/.test(text)
}

/**
 * Exactly one that is registered; of one on the person's computer the port alone may be another. RFC 8252, 7.3. One that
 * could not be registered any more leads nowhere either.
 */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (!isRedirectUri(given)) return false
  if (registered.includes(given)) return true
  if (!loopback.test(given)) return false
  const portless = withoutPort(given)
  return registered.some((one) => loopback.test(one) && withoutPort(one) === portless)
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, (whole, port: string | undefined) =>
    port === undefined ? whole : whole.slice(0, -port.length),
  )
}

/** What a person is shown of where the answer goes. */
export function describeRedirect(uri: string): { host: string; isThisComputer: boolean } {
  const { protocol, host } = new URL(uri)
  const isThisComputer = loopback.test(uri)
  if (protocol === 'http:' || protocol === 'https:') return { host, isThisComputer }
  return { host: `an application on this computer (${protocol})`, isThisComputer: true }
}
