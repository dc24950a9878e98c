import { describe, expect, test } from 'vitest'
import { checkHost } from './check-host.ts'
import { type EndpointRule, parseEndpointUrl } from './endpoint-url.ts'
import { createPolicy } from './policy.ts'
import { startDnsServer } from './testing/dns-server.ts'

const publicOnly = createPolicy()

function ruleOf(text: string, policy = publicOnly): EndpointRule | 'accepted' {
  const result = parseEndpointUrl(text, policy)
  return result.ok ? 'accepted' : result.rule
}

describe('an endpoint URL', () => {
  test.each<[string, string]>([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM:443/Hook?a=B', 'https://example.com/Hook?a=B'],
    ['https://example.com./hook', 'https://example.com/hook'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://example.com:1024/', 'https://example.com:1024/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://a_b.example.com/', 'https://a_b.example.com/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://internal.example.com/', 'https://internal.example.com/'],
  ])('%s is kept as %s', (text, url) => {
    expect(parseEndpointUrl(text, publicOnly)).toMatchObject({ ok: true, url })
  })

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://\u00ad127.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://172.16.0.1/',
    'https://192.168.0.1:8443/',
    'https://168.63.129.16/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:10.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[4000::1]/',
  ])('%s is refused for its address, whatever its spelling', (text) => {
    expect(ruleOf(text)).toBe('address')
  })

  test.each<[string, EndpointRule]>([
    ['https://exa\nmple.com/', 'control_character'],
    ['https://exa\tmple.com/', 'control_character'],
    ['https://example.com/\r', 'control_character'],
    ['\u0000https://example.com/', 'control_character'],
    ['https://example.com/\u007f', 'control_character'],
    [' https://example.com/', 'space'],
    ['https://example.com/a b', 'space'],
    ['https://example.com/\u00a0', 'space'],
    ['https://127.0.0.1\\@evil.com/', 'backslash'],
    ['https:\\\\example.com/', 'backslash'],
    ['http://example.com/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['//example.com/', 'scheme'],
    ['https:example.com', 'scheme'],
    ['https:/example.com', 'scheme'],
    ['example.com', 'scheme'],
    ['', 'scheme'],
    ['https:///example.com/', 'host'],
    ['https://', 'host'],
    ['https://user@example.com/', 'credentials'],
    ['https://user:pass@example.com/', 'credentials'],
    ['https://@example.com/', 'credentials'],
    ['https://:@example.com/', 'credentials'],
    ['https://example.com:443@127.0.0.1/', 'credentials'],
    ['https://1:2@[::1]/', 'credentials'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:80/', 'port'],
    ['https://example.com:1023/', 'port'],
    ['https://example.com:6667/', 'port'],
    ['https://example.com:10080/', 'port'],
    ['https://example.com:2049/', 'port'],
    ['https://example.com:65536/', 'not_a_url'],
    ['https://256.1.1.1/', 'not_a_url'],
    ['https://[fe80::1%25eth0]/', 'not_a_url'],
    ['https://[fe80::1%eth0]/', 'not_a_url'],
    ['https://[::1/', 'not_a_url'],
    ['https://exa<mple.com/', 'not_a_url'],
    ['https://example.com../', 'host'],
    ['https://example..com/', 'host'],
    ['https://.example.com/', 'host'],
    ['https://./', 'host'],
    ['https://-a.example.com/', 'host'],
    ['https://a*b.example.com/', 'host'],
    [`https://${'a'.repeat(64)}.com/`, 'host'],
    [`https://${'abcdefgh.'.repeat(28)}co.de/`, 'host'],
    ['https://localhost/', 'internal_name'],
    ['https://localhost./', 'internal_name'],
    ['https://LOCALHOST:8443/', 'internal_name'],
    ['https://a.localhost/', 'internal_name'],
    ['https://intranet/', 'internal_name'],
    ['https://printer.local/', 'internal_name'],
    ['https://metadata.google.internal/', 'internal_name'],
    ['https://router.home.arpa/', 'internal_name'],
    ['https://abc.onion/', 'internal_name'],
    [`https://example.com/${'a'.repeat(2029)}`, 'too_long'],
  ])('%j is refused by the rule %s', (text, rule) => {
    expect(ruleOf(text)).toBe(rule)
  })

  test('may have 2,048 characters and a host of 253', () => {
    expect(ruleOf(`https://example.com/${'a'.repeat(2028)}`)).toBe('accepted')
    expect(ruleOf(`https://${'abcdefgh.'.repeat(27)}abcdef.com/`)).toBe('accepted')
  })

  test('is refused in a sentence that names no address', () => {
    const result = parseEndpointUrl('https://0x7f000001/', publicOnly)
    expect(result).toEqual({
      ok: false,
      rule: 'address',
      message: 'The host is not in the public internet; use one that is.',
    })
  })
})

describe('an allowed host', () => {
  const policy = createPolicy({
    allowedHosts:
      'hooks.internal, 127.0.0.1:8080  relay:80\n[::1] mapped.example=10.1.0.0/16,203.0.113.9=203.0.113.0/24 100.64.0.1 93.184.216.34 93.184.216.35=10.0.0.0/8 [64:ff9b::a9fe:a9fe] 100.100.100.200 169.254.169.254=169.254.0.0/16',
  })

  test.each<[string, EndpointRule | 'accepted']>([
    ['http://hooks.internal/', 'accepted'],
    ['http://hooks.internal:8080/', 'accepted'],
    ['https://HOOKS.internal./', 'accepted'],
    ['http://hooks.internal:22/', 'port'],
    ['http://a.hooks.internal/', 'scheme'],
    ['https://a.hooks.internal/', 'internal_name'],
    ['http://127.0.0.1:8080/', 'accepted'],
    ['http://0x7f.1:8080/', 'accepted'],
    ['http://127.0.0.1:8081/', 'scheme'],
    ['https://127.0.0.1/', 'address'],
    ['http://relay/', 'accepted'],
    ['https://relay:80/', 'accepted'],
    ['https://relay/', 'internal_name'],
    ['https://[::1]:9000/', 'accepted'],
    ['http://203.0.113.9/', 'accepted'],
    ['http://100.64.0.1/', 'accepted'],
    ['http://93.184.216.34:8080/', 'accepted'],
    ['http://93.184.216.35/', 'address'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'address'],
    ['http://100.100.100.200/', 'address'],
    ['http://169.254.169.254/', 'address'],
    ['http://user@hooks.internal/', 'credentials'],
  ])('in %s: %s', (text, rule) => {
    expect(ruleOf(text, policy)).toBe(rule)
  })

  test.each([
    'a=b=c',
    'host/path',
    'user@host',
    'a b:x',
    '=10.0.0.0/8',
    'host=10.0.0.0',
    'host=',
    ':80',
    'ho?st',
    'host:99999',
    'https://host',
  ])('is not written %j', (entry) => {
    expect(() => createPolicy({ allowedHosts: entry })).toThrow('Write the')
  })
})

describe('a host, when its URL is saved', () => {
  const zone: Record<string, { addresses: string[]; cname?: string }> = {
    'good.example': { addresses: ['93.184.216.34', '2606:4700:4700::1111'] },
    'four.example': { addresses: ['93.184.216.34'] },
    'six.example': { addresses: ['2606:4700:4700::1111'] },
    'mixed.example': { addresses: ['93.184.216.34', '10.0.0.1'] },
    'mixed-families.example': { addresses: ['93.184.216.34', '::1'] },
    'mapped.example': { addresses: ['::ffff:7f00:1'] },
    'nat64.example': { addresses: ['64:ff9b::a9fe:a9fe'] },
    'alias.example': { addresses: ['169.254.169.254'], cname: 'metadata.example' },
    'empty.example': { addresses: [] },
    'private.example': { addresses: ['10.1.2.3'] },
    'loop.example': { addresses: ['127.0.0.1'] },
    'meta.example': { addresses: ['169.254.169.254'] },
    'azure.example': { addresses: ['168.63.129.16'] },
    'ec2.example': { addresses: ['fd00:ec2::254'] },
    'unspecified.example': { addresses: ['0.0.0.0'] },
  }
  const allowedHosts =
    'private.example loop.example meta.example azure.example ec2.example unspecified.example four.example=93.184.0.0/16 six.example mixed.example=10.0.0.0/8'

  async function ruleInDns(host: string, allowed = ''): Promise<string> {
    await using dns = await startDnsServer((name) => zone[name] ?? 'missing')
    const policy = createPolicy({ allowedHosts: allowed, dnsServers: [dns.address] })
    const result = await checkHost(`https://${host}/`, policy)
    return result.ok ? 'accepted' : result.rule
  }

  test.each([
    ['good.example', 'accepted'],
    ['four.example', 'accepted'],
    ['six.example', 'accepted'],
    ['mixed.example', 'address'],
    ['mixed-families.example', 'address'],
    ['mapped.example', 'address'],
    ['nat64.example', 'address'],
    ['alias.example', 'address'],
    ['private.example', 'address'],
    ['empty.example', 'unresolvable'],
    ['nowhere.example', 'unresolvable'],
    ['8.8.8.8', 'accepted'],
    ['127.0.0.1', 'address'],
  ])('%s: %s', async (host, rule) => {
    expect(await ruleInDns(host)).toBe(rule)
  })

  test.each([
    ['private.example', 'accepted'],
    ['loop.example', 'accepted'],
    ['four.example', 'accepted'],
    ['six.example', 'accepted'],
    ['mixed.example', 'address'],
    ['meta.example', 'address'],
    ['azure.example', 'address'],
    ['ec2.example', 'address'],
    ['unspecified.example', 'address'],
  ])('that is allowed, %s: %s', async (host, rule) => {
    expect(await ruleInDns(host, allowedHosts)).toBe(rule)
  })

  test('is refused in ranges that the operator denies', async () => {
    await using dns = await startDnsServer((name) => zone[name] ?? 'missing')
    const policy = createPolicy({
      allowedHosts: 'private.example',
      deniedRanges: ['93.184.216.0/24', '10.1.2.0/24'],
      dnsServers: [dns.address],
    })
    expect(await checkHost('https://four.example/', policy)).toMatchObject({ rule: 'address' })
    expect(await checkHost('http://private.example/', policy)).toMatchObject({ rule: 'address' })
  })

  test('is looked up by the system when it is allowed', async () => {
    const policy = createPolicy({ allowedHosts: 'localhost' })
    expect(await checkHost('http://localhost:8080/', policy)).toMatchObject({ ok: true })
  })

  test('is asked for once while its answer lives, and again when that is zero', async () => {
    await using dns = await startDnsServer((name) => ({
      addresses: ['93.184.216.34'],
      ttl: name === 'lasting.example' ? 60 : 0,
    }))
    const policy = createPolicy({ dnsServers: [dns.address] })
    for (const host of ['lasting.example', 'fleeting.example']) {
      await checkHost(`https://${host}/`, policy)
      await checkHost(`https://${host}/`, policy)
    }
    const count = (host: string) => dns.asked.filter((question) => question === `${host} A`).length
    expect([count('lasting.example'), count('fleeting.example')]).toEqual([1, 2])
  })
})
