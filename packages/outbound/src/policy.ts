import { type BlockList, isIP } from 'node:net'
import { classifyAddress, isInRanges, isOwnAddress, rangeList } from './address-classes.ts'
import { type Resolve, createResolver } from './resolve.ts'

/** What may be reached. Immutable, and each has its own connections. */
export interface Policy {
  allowed: readonly AllowedHost[]
  denied: BlockList
  resolve: Resolve
}

/** A host that the operator vouches for. */
interface AllowedHost {
  host: string
  /** Any unless given. */
  port?: string
  /** Where it must be; anywhere unless given, but for what no list opens. */
  range?: BlockList
}

export interface PolicyOptions {
  /**
   * SVC_WEBHOOK_ALLOWED_HOSTS: `host[:port][=CIDR]`, separated by commas or white space. An IPv6
   * literal stands in brackets.
   */
  allowedHosts?: string | undefined
  /** CIDRs that are refused for every host. */
  deniedRanges?: readonly string[]
  /** `address[:port]` of the DNS servers to ask for every name, instead of the system's. */
  dnsServers?: readonly string[]
}

/** Throws a sentence about the first setting that cannot be read. */
export function createPolicy(options: PolicyOptions = {}): Policy {
  const entries = (options.allowedHosts ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
  return {
    allowed: entries.map(parseAllowedHost),
    denied: rangeList(options.deniedRanges ?? []),
    resolve: createResolver(options.dnsServers),
  }
}

/** Where a connection goes, and what the operator said of it. */
export interface Target {
  /** A name, or a literal without brackets. */
  host: string
  entries: readonly AllowedHost[]
}

export function targetOf(url: URL, policy: Policy): Target {
  const port = url.port || (url.protocol === 'http:' ? '80' : '443')
  const host = bareHost(url)
  const entries = policy.allowed.filter(
    (entry) => entry.host === host && (entry.port === undefined || entry.port === port),
  )
  return { host, entries }
}

/** The one decision about an address; at save time and at every connection. */
export function mayReach(target: Target, address: string, policy: Policy): boolean {
  const kind = classifyAddress(address)
  if (isInRanges(policy.denied, address)) return false
  if (target.entries.length === 0) return kind === 'public' && !isOwnAddress(address)
  switch (kind) {
    case 'invalid':
    case 'metadata':
    case 'link-local':
    case 'multicast':
    case 'unspecified':
    case 'translated':
      return false
    case 'private':
    case 'loopback':
    case 'public':
    case 'reserved':
    case 'unassigned':
      return target.entries.some(({ range }) => !range || isInRanges(range, address))
    default:
      return kind satisfies never
  }
}

/** Without the brackets of an IPv6 literal, and without one trailing dot. */
export function bareHost(url: URL): string {
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) ? bare : bare.replace(/\.$/, '')
}

function parseAllowedHost(entry: string): AllowedHost {
  const [authority = '', range, ...more] = entry.split('=')
  const port = /:(\d{1,5})$/.exec(authority)?.[1]
  const url = URL.parse(`http://${authority}/`)
  const isPlain = url !== null && /^[^/?#@\\]+$/.test(authority) && url.pathname === '/'
  if (!isPlain || more.length > 0) {
    throw new Error(`Write the allowed host "${entry}" as host, host:port or host:port=CIDR.`)
  }
  return {
    host: bareHost(url),
    // Not url.port: that leaves out the default of the scheme.
    ...(port && { port: String(Number(port)) }),
    ...(range !== undefined && { range: rangeList([range]) }),
  }
}
