import { BlockList } from 'node:net'
import { networkInterfaces } from 'node:os'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { classifyAddress, isInRanges, isOwnAddress, rangeList } from './address-classes.ts'

/** First and last address of each range that is not the public internet. */
const notPublic = [
  ['0.0.0.0', '0.255.255.255', 'unspecified'],
  ['10.0.0.0', '10.255.255.255', 'private'],
  ['100.64.0.0', '100.127.255.255', 'reserved'],
  ['127.0.0.0', '127.255.255.255', 'loopback'],
  ['169.254.0.0', '169.254.255.255', 'link-local'],
  ['172.16.0.0', '172.31.255.255', 'private'],
  ['192.0.0.0', '192.0.0.255', 'reserved'],
  ['192.0.2.0', '192.0.2.255', 'reserved'],
  ['192.31.196.0', '192.31.196.255', 'reserved'],
  ['192.52.193.0', '192.52.193.255', 'reserved'],
  ['192.88.99.0', '192.88.99.255', 'reserved'],
  ['192.168.0.0', '192.168.255.255', 'private'],
  ['192.175.48.0', '192.175.48.255', 'reserved'],
  ['198.18.0.0', '198.19.255.255', 'reserved'],
  ['198.51.100.0', '198.51.100.255', 'reserved'],
  ['203.0.113.0', '203.0.113.255', 'reserved'],
  ['224.0.0.0', '239.255.255.255', 'multicast'],
  ['240.0.0.0', '255.255.255.255', 'reserved'],
  ['168.63.129.16', '168.63.129.16', 'metadata'],
  ['::', '::', 'unspecified'],
  ['::1', '::1', 'loopback'],
  ['::2', '::ffff:ffff', 'translated'],
  ['::7f00:1', '::127.0.0.1', 'translated'],
  ['::ffff:0:0:0', '::ffff:0:ffff:ffff', 'translated'],
  ['64:ff9b::', '64:ff9b::ffff:ffff', 'translated'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'translated'],
  ['100::', '100::ffff:ffff:ffff:ffff', 'reserved'],
  ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff', 'reserved'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', 'translated'],
  ['2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'translated'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'private'],
  ['fd00:ec2::', 'fd00:ec2::254', 'metadata'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'link-local'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'multicast'],
  ['::ffff:127.0.0.1', '::ffff:7fff:ffff', 'loopback'],
  ['::ffff:a9fe:a9fe', '::ffff:169.254.169.254', 'link-local'],
  ['::ffff:0.0.0.0', '0:0:0:0:0:ffff:0:0', 'unspecified'],
  ['::ffff:168.63.129.16', '::FFFF:A83F:8110', 'metadata'],
  ['4000::', '5eff::', 'unassigned'],
  ['1000::1', '1fff::1', 'unassigned'],
] as const

/** The neighbours of these ranges. */
const isPublic = `
  1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.31.195.255
  192.52.194.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.49.0
  198.17.255.255 198.20.0.0 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  168.63.129.15 2000::1 2001:200:: 2001:db7::1 2001:db9:: 2003:: 2620:4f:8001:: 3ffe::1
  3fff:1000:: 2606:4700:4700::1111 ::ffff:8.8.8.8 ::ffff:808:808
`
  .trim()
  .split(/\s+/)

describe('an address', () => {
  test.each(notPublic)('from %s to %s is %s', (first, last, kind) => {
    expect([classifyAddress(first), classifyAddress(last)]).toEqual([kind, kind])
  })

  test.each(isPublic)('%s is public', (address) => {
    expect(classifyAddress(address)).toBe('public')
  })

  test.each([
    '',
    'localhost',
    '256.1.1.1',
    '1.2.3',
    '0x7f.1',
    '127.1',
    'fe80::1%eth0',
    '::1%1',
    '[::1]',
    '1.2.3.4/8',
    ' 8.8.8.8',
    ':::',
  ])('%j is none', (text) => {
    expect(classifyAddress(text)).toBe('invalid')
  })

  test('is public exactly when ipaddr.js calls it unicast, but for the reviewed differences', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        const ours = classifyAddress(address) === 'public'
        const judged = judge(address).range() === 'unicast'
        expect(ours).toBe(judged && !isReviewed(address))
      }),
      {
        numRuns: 2000,
        examples: [...notPublic.flatMap(([a, b]) => [[a], [b]]), ...isPublic.map((a) => [a])] as [
          string,
        ][],
      },
    )
  })

  test('of this machine is known in every spelling', () => {
    const entries = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const spellings = entries.flatMap(({ address, family }) =>
      family === 'IPv4' ? [address, `::ffff:${address}`] : [address],
    )
    expect(spellings).toContain('127.0.0.1')
    expect(spellings.filter((address) => !isOwnAddress(address))).toEqual([])
    expect(isOwnAddress('8.8.8.8')).toBe(false)
  })
})

describe('a list of ranges', () => {
  test.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0/8',
    'x/8',
    '::/129',
    '10.0.0.0/8/8',
    'fe80::%1/10',
    '/8',
    '::1/',
  ])('does not take %s', (cidr) => {
    expect(() => rangeList([cidr])).toThrow(`"${cidr}"`)
  })

  test('holds an IPv4 address in its mapped spelling too', () => {
    const list = rangeList(['10.1.0.0/16', 'fd12::/16'])
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map((a) => isInRanges(list, a))).toEqual([
      true,
      true,
      true,
    ])
    expect(['10.2.0.0', '::10.1.2.3', 'fd13::1', 'x'].map((a) => isInRanges(list, a))).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})

/** What ipaddr.js calls unicast and we refuse, each reviewed. */
const reviewed = new BlockList()
// Azure's wire server, a public address that answers machines only.
reviewed.addAddress('168.63.129.16')
// IPv4-compatible addresses, long deprecated.
reviewed.addSubnet('::', 96, 'ipv6')
// The second discard-only prefix, RFC 9780.
reviewed.addSubnet('100:0:0:1::', 64, 'ipv6')

// Without dotted quads: ipaddr.js reads ::1.2.3.4 as ::ffff:1.2.3.4.
function judge(address: string): ReturnType<typeof ipaddr.process> {
  const { hostname } = new URL(`http://${address.includes(':') ? `[${address}]` : address}`)
  return ipaddr.process(hostname.replace(/^\[|\]$/g, ''))
}

function isReviewed(address: string): boolean {
  const plain = judge(address)
  if (reviewed.check(plain.toString(), plain.kind())) return true
  // IANA has assigned nothing outside of 2000::/3 as global unicast.
  return plain.kind() === 'ipv6' && (plain.toByteArray()[0] ?? 0) >> 5 !== 1
}

const byte = fc.nat(255)
const group = fc.oneof(fc.constantFrom(0, 1, 0xffff, 0x7f00, 0xdb8, 0xff9b), fc.nat(0xffff))
const firstGroup = fc.oneof(
  fc.constantFrom(0, 0x64, 0x100, 0x2001, 0x2002, 0x2620, 0x3fff, 0x5f00, 0xfc00, 0xfe80, 0xfec0),
  fc.nat(0xffff),
)
const ipv4 = fc
  .tuple(
    fc.oneof(fc.constantFrom(10, 100, 127, 168, 169, 172, 192, 198, 203), byte),
    byte,
    byte,
    byte,
  )
  .map((bytes) => bytes.join('.'))
const ipv6 = fc
  .tuple(firstGroup, ...Array.from({ length: 7 }, () => group))
  .map((groups) => groups.map((value) => value.toString(16)).join(':'))
const anyAddress = fc.oneof(
  ipv4,
  ipv6,
  ipv4.map((a) => `::ffff:${a}`),
  ipv4.map((a) => `::${a}`),
)
