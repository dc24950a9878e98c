import { isRedirectUri, isRegistered } from '@svc/domain/oauth/redirect-uri'
import fc from 'fast-check'
import { Provider } from 'oidc-provider'
import { expect, test } from 'vitest'

/** The certified peer, which judges the same addresses. */
const peer = new Provider('https://issuer.example', { clientAuthMethods: ['none'] })
// its types leave out what its own registration gives to this
const PeerClient = peer.Client as unknown as new (metadata: object) => typeof peer.Client.prototype

function registerAtPeer(uris: readonly string[]) {
  try {
    return new PeerClient({
      client_id: 'client',
      redirect_uris: uris,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    })
  } catch {
    return undefined
  }
}

const registered = [
  'https://app.example/cb',
  'https://app.example:8443/cb?x=1',
  'http://127.0.0.1/cb',
  'http://localhost:3000/cb?x=1',
  'http://[::1]:8080/cb',
  'com.example.app:/cb',
  'cursor://host/cb',
]

const parts =
  `: / // @ # ? \\ . .. % %2e * ; , & = [ ] 1 65536 :1 :80 :443 :0 :00080 evil.example user@ localhost
  127.0.0.1 127.1 [::1] http https HTTP Http LOCALHOST cb CB /cb/ ?x=1 #f %0a javascript: ä`
    .split(/\s+/)
    .filter(Boolean)

/** One of the registered addresses, in which something was put, cut or exchanged up to three times. */
const mutated = fc
  .tuple(
    fc.constantFrom(...registered),
    fc.array(fc.tuple(fc.nat(40), fc.nat(8), fc.constantFrom(...parts, '')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([uri, changes]) =>
    changes.reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), uri),
  )

/** Where the peer is content and we are not, each reviewed: nothing that any client registers. */
const reviewed: readonly { why: string; is: (uri: string) => boolean }[] = [
  {
    why: 'what a parser drops or corrects',
    is: (uri) => !/^[\x21-\x7e]*$/.test(uri) || /[\\<>"`{}|^*]/.test(uri),
  },
  {
    why: 'an address without the two slashes of its scheme',
    is: (uri) => /^https?:(?!\/\/[^/])/i.test(uri),
  },
  {
    why: 'a scheme that is neither the reversed domain of an application nor a known one',
    is: (uri) => !/^(?:https?|cursor|[a-z]{2,}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+):/i.test(uri),
  },
  { why: 'a user', is: (uri) => /^[^:]*:\/\/[^/?]*@/.test(uri) },
  {
    why: 'this computer by another spelling of its name',
    is: (uri) =>
      /^http:/i.test(uri) &&
      !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[1-9]\d*)?([/?]|$)/.test(uri),
  },
  {
    why: 'a host that no name has',
    is: (uri) => /^https:\/\/[^/?]*[^A-Za-z0-9._:[\]/?-]/i.test(uri),
  },
  {
    why: 'a port that is spelled otherwise',
    is: (uri) => /^https?:\/\/[^/?]*:(0|[/?]|$)/i.test(uri),
  },
  {
    why: 'https on this computer, which the peer refuses',
    is: (uri) => /^https:\/\/(localhost|127\.0\.0\.1|\[::1\])/i.test(uri),
  },
]

function isReviewed(uri: string): boolean {
  return reviewed.some(({ is }) => is(uri))
}

const addresses = [...registered, ...fc.sample(mutated, 500)]

test('an address is matched as a certified provider matches it', () => {
  const judge = registerAtPeer(registered)
  const judged = addresses.map((uri) => ({
    uri,
    ours: isRegistered(registered, uri),
    theirs: judge?.redirectUriAllowed(uri),
  }))
  const different = judged.filter(({ ours, theirs }) => ours !== theirs)
  expect(different.filter(({ uri }) => !isReviewed(uri))).toEqual([])
  // where we differ, we are the stricter one
  expect(different.filter(({ ours }) => ours)).toEqual([])
})

test('an address is registered as a certified provider registers it, or refused', () => {
  const judged = addresses.map((uri) => ({
    uri,
    ours: isRedirectUri(uri),
    theirs: registerAtPeer([uri]) !== undefined,
  }))
  const different = judged.filter(({ ours, theirs }) => ours !== theirs)
  expect(different.filter(({ uri }) => !isReviewed(uri))).toEqual([])
})
