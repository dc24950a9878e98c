import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

const ranges = {
  // Also where clouds answer with credentials, without being link-local.
  metadata: [
    '168.63.129.16/32',
    '100.100.100.200/32',
    '192.0.0.192/32',
    'fd00:ec2::/32',
    'fd20:ce::254/128',
  ],
  unspecified: ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  // IPv6 that leads to an IPv4 address, which nobody here judges: it may be any of the above.
  translated: [
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001::/32',
    '2002::/16',
  ],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  reserved: [
    '100.64.0.0/10',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
    '2001:db8::/32',
    '2620:4f:8000::/48',
    '3fff::/20',
    '5f00::/16',
    'fec0::/10',
  ],
} as const

/** `unassigned`: IPv6 outside of global unicast. `invalid`: not an address, or one with a zone. */
export type AddressClass = keyof typeof ranges | 'public' | 'unassigned' | 'invalid'

const lists = Object.entries(ranges).map(([name, cidrs]) => ({
  // Object.entries forgets the keys that `ranges` has.
  name: name as keyof typeof ranges,
  list: rangeList(cidrs),
}))
const globalUnicast = rangeList(['2000::/3'])

/** What an address is for; only `public` may be reached by a host that nobody vouched for. */
export function classifyAddress(address: string): AddressClass {
  const plain = plainAddress(address)
  if (plain === undefined) return 'invalid'
  const found = lists.find(({ list }) => contains(list, plain))
  if (found) return found.name
  return isIPv4(plain) || contains(globalUnicast, plain) ? 'public' : 'unassigned'
}

let own = { readAt: Number.NEGATIVE_INFINITY, addresses: new Set<string | undefined>() }

/** Whether the address belongs to an interface of this machine, as of the last five seconds. */
export function isOwnAddress(address: string): boolean {
  const now = performance.now()
  // Reading them costs more than the rest of a connection's checks.
  if (now - own.readAt > 5000) {
    const entries = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    own = { readAt: now, addresses: new Set(entries.map((entry) => plainAddress(entry.address))) }
  }
  return own.addresses.has(plainAddress(address))
}

export function isInRanges(list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  return plain !== undefined && contains(list, plain)
}

/** Throws a sentence about the first entry that is not `address/bits`. */
export function rangeList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits = '', ...more] = cidr.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const known = family === 'ipv4' || (isIPv6(address) && plainAddress(address) !== undefined)
    const most = family === 'ipv4' ? 32 : 128
    if (!known || !/^\d{1,3}$/.test(bits) || Number(bits) > most || more.length > 0) {
      throw new Error(`Write the range "${cidr}" as an address and its bits, like 10.1.0.0/16.`)
    }
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** One spelling per address; an IPv4-mapped one becomes the IPv4 address that it reaches. */
function plainAddress(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address) || address.includes('%')) return undefined
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain)
  if (!mapped) return plain
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function contains(list: BlockList, plain: string): boolean {
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}
