import { describe, expect, test } from 'vitest'
import { describeRedirect, isRedirectUri, isRegistered } from './redirect-uri.ts'

/** What clients in use register. */
const taken = `
  https://claude.ai/api/mcp/auth_callback
  https://chatgpt.com/connector_platform_oauth_redirect
  https://vscode.dev/redirect
  https://example.com
  https://example.com:8443/cb?x=1
  http://127.0.0.1/
  http://127.0.0.1:33418/
  http://localhost:6274/oauth/callback
  http://[::1]:8080/cb
  cursor://anysphere.cursor-mcp/oauth/callback
  com.example.app:/oauth
  com.raycast:/oauth?package_name=Extension
  vscode://example.extension/callback
`
  .trim()
  .split(/\s+/)

const schemes =
  'javascript data file filesystem blob about vbscript view-source ws wss ftp mailto tel'
    .split(' ')
    .flatMap((scheme) => [
      `${scheme}:x`,
      `${scheme}://x/`,
      `${scheme.toUpperCase()}:x`,
      `${scheme}://localhost/`,
    ])

/** What systems and browsers open by themselves, and what nobody knows. */
const ofSystems = [
  'ms-msdt:/id PCWDiagnostic',
  'ms-msdt:x',
  'ms-settings:x',
  'ms-officecmd:x',
  'search-ms:query=x',
  'shell:startup',
  'ssh://host/',
  'telnet://host/',
  'smb://host/share',
  'facetime:x',
  'sms:1',
  'intent://x/#Intent;end',
  'intent://x/',
  'android-app://com.example/',
  'itms-services://x',
  'x-apple.systempreferences:com.apple.preference.security',
  'chrome://settings',
  'steam://run/1',
  'jar:x',
  'web+app:x',
  'unheard://callback',
]

const hosts = [
  '127.0.0.1.evil.com',
  'localhost.evil.com',
  'evil.com',
  '127.0.0.2',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0.0.0.0',
  '10.0.0.1',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[0:0:0:0:0:0:0:1]',
  'user@localhost',
  'localhost@evil.com',
  'localhost:pw@evil.com',
  '127.0.0.1:80@evil.com',
  'localhost:0',
  'localhost:080',
  'localhost:65536',
  'localhost:',
  'localhost.',
  'LOCALHOST.evil.com',
  'xn--lcalhost-54a',
].flatMap((host) => [`http://${host}/`, `http://${host}/cb?x=1`])

const shapes = [
  '',
  'x',
  '/cb',
  '//example.com/cb',
  'https:',
  'https:/example.com',
  'https:example.com',
  'https:///example.com',
  'https://',
  'https://a@evil',
  'https://a:b@evil/',
  'https://@evil/',
  'https://x/#f',
  'https://x/#',
  'https://*.example.com/',
  'https://example.com/*',
  'https://exa mple.com/',
  ' https://example.com/',
  'https://example.com/ ',
  'https://example.com/\n',
  'https://exam\tple.com/',
  'https://example.com/\0',
  'https://example.com\\@evil.com/',
  'HTTPS:\\\\x',
  'https:\\\\example.com',
  'https://еxample.com/',
  'https://ex\u00e4mple.com/',
  'https://example\u3002com/',
  'https://example.com/\u202e',
  'https://example.com/ä',
  'https://a;script-src/',
  'https://a,b/',
  "https://a'b/",
  'https://a"b/',
  'https://<b>/',
  'https://a%2eb/',
  'https://[::1/',
  'https://example.com:99999/',
  'https://example.com:x/',
  'https://example.com/{id}',
  'https://example.com/`',
  'https://example.com/|',
  'https://example.com/^',
  'cursor://user@host/',
  'cursor://x/#f',
  'cursor://x y/',
  '1app://x',
  `https://example.com/${'x'.repeat(2_000)}`,
]

describe('a client may be registered', () => {
  test.each(taken)('with %s', (uri) => expect(isRedirectUri(uri)).toBe(true))
  test('and with none of what could lead a person elsewhere, or run something', () => {
    const hostile = [...schemes, ...ofSystems, ...hosts, ...shapes]
    expect(hostile.length).toBeGreaterThan(140)
    expect(hostile.filter(isRedirectUri)).toEqual([])
  })
})

describe('an address is one of those that are registered', () => {
  test.each(taken)('when it is %s', (uri) => expect(isRegistered(taken, uri)).toBe(true))

  test('unless it could not be registered any more', () => {
    expect(isRegistered(ofSystems, 'ms-msdt:x')).toBe(false)
  })

  test.each([
    ['http://localhost/cb', 'http://localhost:1/cb', true],
    ['http://localhost:3000/cb', 'http://localhost:55123/cb', true],
    ['http://127.0.0.1:3000/cb?x', 'http://127.0.0.1/cb?x', true],
    ['http://[::1]/cb', 'http://[::1]:9/cb', true],
    ['http://localhost/cb', 'http://127.0.0.1/cb', false],
    ['http://localhost/cb', 'http://localhost:1/cb/', false],
    ['http://localhost/cb', 'http://localhost:1/CB', false],
    ['http://localhost/cb', 'http://localhost:1/cb?x', false],
    ['http://localhost/cb', 'http://localhost:1/cb#x', false],
    ['http://localhost/cb', 'https://localhost:1/cb', false],
    ['http://localhost/cb', 'http://localhost:99999/cb', false],
    ['https://example.com/cb', 'https://example.com:8443/cb', false],
    ['https://example.com/cb', 'https://EXAMPLE.com/cb', false],
    ['https://example.com/cb', 'https://example.com/cb/', false],
    ['https://example.com', 'https://example.com/', false],
  ])('%s for %s: %s', (registered, given, isOne) => {
    expect(isRegistered([registered], given)).toBe(isOne)
  })
})

test.each([
  ['https://example.com:8443/cb', 'example.com:8443', false],
  ['http://localhost:3000/cb', 'localhost:3000', true],
  ['http://[::1]:3000/cb', '[::1]:3000', true],
  ['cursor://x/cb', 'an application on this computer (cursor:)', true],
])('%s is shown as what it is', (uri, host, isThisComputer) => {
  expect(describeRedirect(uri)).toEqual({ host, isThisComputer })
})
