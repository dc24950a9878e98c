import { isIP } from 'node:net'
import { type Policy, type Target, mayReach, targetOf } from './policy.ts'

const messages = {
  too_long: 'The URL may have at most 2,048 characters.',
  control_character: 'The URL holds a control character; remove it.',
  space: 'The URL holds a space; remove it or write %20.',
  backslash: 'The URL holds a backslash; write a slash or %5C.',
  scheme: 'The URL must start with https://.',
  not_a_url: 'The text is not a URL; write it like https://example.com/hook.',
  credentials: 'The URL may not hold a user name or a password.',
  fragment: 'The URL may not hold a fragment; remove what follows #.',
  port: 'The port must be 443, or 1024 and above and not of another protocol.',
  host: 'The host is not a name that the public DNS could hold.',
  internal_name: 'The host is a name of an internal network; use a public one.',
  address: 'The host is not in the public internet; use one that is.',
  unresolvable: 'The host has no address in the DNS; check its spelling.',
} as const

export type EndpointRule = keyof typeof messages

export interface EndpointRefusal {
  ok: false
  rule: EndpointRule
  /** One sentence, without any address. */
  message: string
}

export interface Endpoint {
  ok: true
  /** Normalised; what to keep. */
  url: string
  /** The operator named its host. */
  isListed: boolean
  target: Target
}

export function refuse(rule: EndpointRule): EndpointRefusal {
  return { ok: false, rule, message: messages[rule] }
}

/** The rules that need no DNS. */
export function parseEndpointUrl(text: string, policy: Policy): Endpoint | EndpointRefusal {
  const wrongText = checkText(text)
  if (wrongText) return refuse(wrongText)
  const url = URL.parse(text)
  if (!url) return refuse('not_a_url')
  const target = targetOf(url, policy)
  const isLiteral = isIP(target.host) !== 0
  const wrong = checkParts(url, target) ?? (isLiteral ? undefined : checkName(target))
  if (wrong) return refuse(wrong)
  if (isLiteral && !mayReach(target, target.host, policy)) return refuse('address')
  if (!isLiteral) url.hostname = target.host
  return { ok: true, url: url.href, isListed: target.entries.length > 0, target }
}

// On the text, for the URL parser removes or rewrites all of these.
function checkText(text: string): EndpointRule | undefined {
  if (text.length > 2048) return 'too_long'
  // oxlint-disable-next-line eslint/no-control-regex -- these are what is refused
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'control_character'
  if (/\s/u.test(text)) return 'space'
  if (text.includes('\\')) return 'backslash'
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1]
  if (authority === undefined) return 'scheme'
  if (authority === '') return 'host'
  if (authority.includes('@')) return 'credentials'
  return text.includes('#') ? 'fragment' : undefined
}

function checkParts(url: URL, target: Target): EndpointRule | undefined {
  const isAllowed = target.entries.length > 0
  if (url.protocol !== 'https:' && !isAllowed) return 'scheme'
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443))
  const isFree = port === 443 || (port === 80 && isAllowed)
  if (!isFree && (port < 1024 || otherProtocols.has(port))) return 'port'
  return undefined
}

function checkName({ host, entries }: Target): EndpointRule | undefined {
  if (host.length > 253) return 'host'
  const labels = host.split('.')
  if (!labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))) return 'host'
  if (entries.length > 0) return undefined
  const isInternal = labels.length === 1 || internalNames.some((end) => host.endsWith(end))
  return isInternal ? 'internal_name' : undefined
}

const internalNames = ['.localhost', '.local', '.internal', '.home.arpa', '.onion']

/** The ports from 1024 that browsers refuse: https://fetch.spec.whatwg.org/#port-blocking. */
const otherProtocols = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10_080,
])
