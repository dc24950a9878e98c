import { OAuthError } from '@svc/domain/oauth/error'
import { revokeByClient } from '@svc/domain/oauth/revoke'
import type { OAuthEndpoint } from './answer.ts'
import { readFormParameters } from './parameters.ts'

/** Ends a token. The answer does not say whether there was one to end. */
export const revoke: OAuthEndpoint = async (context, _parts, useCase) => {
  const given = await readFormParameters(context)
  const token = given.one('token')
  if (token === undefined) throw new OAuthError('invalid_request', 'Send token.')
  await revokeByClient(useCase, { token, clientId: given.one('client_id') })
  return new Response(null, { status: 200 })
}
