import { isServiceError } from '@svc/contracts/errors'
import { registerClient } from '@svc/domain/oauth/clients'
import { OAuthError } from '@svc/domain/oauth/error'
import { oauthScope } from '@svc/domain/oauth/grants'
import { readJson } from '@svc/http/read-body'
import type { OAuthEndpoint } from './answer.ts'

const mostBytes = 64 * 1024

/** A client describes itself and is given the id by which it is known. RFC 7591. */
export const register: OAuthEndpoint = async (context, _parts, useCase) => {
  const said = await readJson(context.req.raw, mostBytes).catch((error: unknown) => {
    if (!isServiceError(error) || error.code === 'too_large') throw error
    throw new OAuthError('invalid_client_metadata', error.message)
  })
  const client = await registerClient(useCase, said)
  const body = {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.created_at.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: oauthScope,
    ...(client.application_type !== null && { application_type: client.application_type }),
  }
  return Response.json(body, { status: 201 })
}
