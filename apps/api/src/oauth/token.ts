import { exchangeCode } from '@svc/domain/oauth/exchange'
import { oauthScope } from '@svc/domain/oauth/grants'
import { canonicalResource } from '@svc/domain/oauth/resource'
import type { OAuthEndpoint } from './answer.ts'
import { requireExchange } from './checks/token.ts'
import { readFormParameters } from './parameters.ts'

/** A code for a token. */
export const exchange: OAuthEndpoint = async (context, { baseUrl }, useCase) => {
  const given = await readFormParameters(context)
  requireExchange(given)
  const asked = {
    clientId: given.one('client_id') ?? '',
    code: given.one('code') ?? '',
    redirectUri: given.one('redirect_uri') ?? '',
    verifier: given.one('code_verifier'),
    resources: given.all('resource'),
  }
  const resource = canonicalResource(baseUrl())
  const { token, expiresInSeconds } = await exchangeCode(useCase, asked, resource)
  return Response.json({
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    scope: oauthScope,
  })
}
