import { z } from 'zod'
import { cutText } from '@svc/contracts/cut-text'
import { OAuthError } from './error.ts'
import { isRedirectUri } from './redirect-uri.ts'

/** What is kept of what a client says of itself. */
export interface ClientMetadata {
  name: string
  redirectUris: string[]
  applicationType: string | null
}

const mostRedirects = 10
const mostName = 80

/** Ways to prove oneself that a client without a secret can do without: the answer says that it needs none. */
const dispensable = ['none', 'client_secret_basic', 'client_secret_post']

const Said = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.unknown().optional(),
  application_type: z.enum(['web', 'native']).optional(),
  response_types: z.array(z.string()).optional(),
  grant_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
})

/** What a client registers with, or its document says; whatever else it asks for is left out. RFC 7591. */
export function readClientMetadata(said: unknown): ClientMetadata {
  const parsed = Said.safeParse(said)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'The metadata'
    throw invalidMetadata(`${where} is not what RFC 7591 takes there.`)
  }
  const { data } = parsed
  for (const { isRefused, message } of refusals) {
    if (isRefused(data)) throw invalidMetadata(message)
  }
  return {
    name: legibleName(data.client_name ?? ''),
    redirectUris: readRedirectUris(data.redirect_uris),
    applicationType: data.application_type ?? null,
  }
}

const refusals: readonly { isRefused: (said: z.infer<typeof Said>) => boolean; message: string }[] =
  [
    {
      isRefused: ({ response_types: types }) => types !== undefined && !types.includes('code'),
      message: 'response_types must have code: there is no other way here.',
    },
    {
      isRefused: ({ grant_types: types }) =>
        types !== undefined && !types.includes('authorization_code'),
      message: 'grant_types must have authorization_code: there is no other way here.',
    },
    {
      isRefused: ({ token_endpoint_auth_method: method }) =>
        method !== undefined && !dispensable.includes(method),
      message: 'token_endpoint_auth_method must be none: a client proves itself by PKCE here.',
    },
  ]

function readRedirectUris(said: unknown): string[] {
  const parsed = z.array(z.string()).min(1).max(mostRedirects).safeParse(said)
  if (!parsed.success) {
    throw invalidRedirect(`redirect_uris must have 1 to ${mostRedirects} addresses.`)
  }
  if (!parsed.data.every(isRedirectUri)) {
    throw invalidRedirect(
      'Each of redirect_uris must be an https address, an http address of localhost, 127.0.0.1 or [::1], or of a scheme of your application that is a domain of yours in reverse, such as com.example.app.',
    )
  }
  return parsed.data
}

/** A name can neither turn the direction of the text around it, nor cover it, nor hide a part of itself. */
export function legibleName(given: string): string {
  const plain = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '')
    // a letter of any language does with fewer marks than would reach the lines above and below
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    // the pattern of Braille that has no dot is another space
    .replace(/[\s\u2800]+/gu, ' ')
    .trim()
  return cutText(plain, mostName).trim() || 'An application without a name'
}

function invalidMetadata(message: string): OAuthError {
  return new OAuthError('invalid_client_metadata', message)
}

function invalidRedirect(message: string): OAuthError {
  return new OAuthError('invalid_redirect_uri', message)
}
