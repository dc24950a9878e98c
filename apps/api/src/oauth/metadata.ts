import { challengeMethod } from '@svc/domain/oauth/pkce'
import { oauthScope } from '@svc/domain/oauth/grants'
import type { OAuthParts } from './parts.ts'
import { oauthPaths } from './paths.ts'

/** What this authorization server is and takes; said by its configuration, whatever host a request names. */
export function serverMetadata({ baseUrl, takesDocuments }: OAuthParts): Response {
  const issuer = baseUrl()
  const body = {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorize,
    token_endpoint: issuer + oauthPaths.token,
    registration_endpoint: issuer + oauthPaths.register,
    revocation_endpoint: issuer + oauthPaths.revoke,
    scopes_supported: [oauthScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: [challengeMethod],
    authorization_response_iss_parameter_supported: true,
    ...(takesDocuments && { client_id_metadata_document_supported: true }),
  }
  return Response.json(body, { headers: { 'cache-control': 'public, max-age=300' } })
}
