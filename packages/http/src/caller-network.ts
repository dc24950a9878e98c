import { BlockList, SocketAddress, isIP } from 'node:net'
import type { HttpContext } from './request-context.ts'

/**
 * The network that a request comes from: its IPv4 address, or the /64 of its IPv6 one, all of which one customer of a
 * provider has. It is that of the connection, unless a trusted proxy sent it on: then that of the last hop before the
 * trusted ones, since whatever stands to the left of it the caller may have made up.
 */
export function trustProxies(trustedProxies: readonly string[]): (context: HttpContext) => string {
  const trusted = blockListOf(trustedProxies)
  return (context) => {
    const hops = (context.req.header('x-forwarded-for') ?? '').split(',')
    let address = addressOf(context.env.incoming?.socket.remoteAddress ?? '')
    while (address !== undefined && trusted.check(address, familyOf(address))) {
      const before = addressOf(hops.pop() ?? '')
      if (before === undefined) break
      address = before
    }
    return address === undefined ? 'unknown' : networkOf(address)
  }
}

function blockListOf(trustedProxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** One address has one spelling; some proxies add the port. */
function addressOf(hop: string): string | undefined {
  const [text = ''] = hop.trim().split('%')
  const version = isIP(text)
  if (version === 4) return text
  const parsed =
    version === 6 ? new SocketAddress({ address: text, family: 'ipv6' }) : SocketAddress.parse(text)
  return parsed?.address.replace(/^::ffff:(?=[\d.]+$)/, '')
}

function networkOf(address: string): string {
  if (isIP(address) === 4) return address
  const [head = [], tail] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const gap = tail === undefined ? 0 : 8 - head.length - tail.length
  const groups = [...head, ...Array<string>(gap).fill('0'), ...(tail ?? [])]
  return `${groups.slice(0, 4).join(':')}::/64`
}
