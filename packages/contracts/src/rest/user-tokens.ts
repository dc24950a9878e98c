import { z } from 'zod'
import { Uuid } from '../ids.ts'
import { NextCursor } from '../page.ts'
import { Role } from '../permissions.ts'
import { ConnectedApplication, UserToken, UserTokenInput } from '../user-token.ts'
import { OwnWorkspace } from '../workspace.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId, pageQuery } from './parts.ts'

export const userTokensEndpoints = {
  getMe: {
    method: 'GET',
    path: '/api/me',
    permission: 'any',
    answer: z.strictObject({
      user: z.strictObject({ id: Uuid, name: z.string(), email: z.string() }),
      workspace: z.strictObject({ id: Uuid, slug: z.string(), name: z.string() }),
      role: Role,
      /** All of the person's for a browser that is signed in, which names one with each call; a token is of one. */
      workspaces: z.array(OwnWorkspace),
      /** Null for a browser that is signed in. */
      token: UserToken.nullable(),
      /** The sign-in that the call came by, as `listSignIns` has it; null for a token. */
      signInId: Uuid.nullable(),
    }),
    status: 200,
  },
  listUserTokens: {
    method: 'GET',
    path: '/api/user-tokens',
    permission: 'own_token:read',
    query: pageQuery,
    answer: z.strictObject({ userTokens: z.array(UserToken), nextCursor: NextCursor }),
    status: 200,
  },
  createUserToken: {
    method: 'POST',
    path: '/api/user-tokens',
    permission: 'own_token:create',
    body: UserTokenInput,
    answer: z.strictObject({ userToken: UserToken, token: z.string() }),
    status: 201,
    repeat: 'keyed',
  },
  /** The token that came with the call, and all that it minted: nobody is signed in by it any more. */
  revokeCurrentUserToken: {
    method: 'DELETE',
    path: '/api/user-tokens/current',
    permission: 'any',
    answer: 'none',
    status: 204,
    repeat: 'natural',
  },
  revokeUserToken: {
    method: 'DELETE',
    path: '/api/user-tokens/:id',
    permission: 'own_token:revoke',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
  /** What the person let in here and has not ended. */
  listConnectedApplications: {
    method: 'GET',
    path: '/api/connected-applications',
    permission: 'own_token:read',
    query: pageQuery,
    answer: z.strictObject({
      connectedApplications: z.array(ConnectedApplication),
      nextCursor: NextCursor,
    }),
    status: 200,
  },
  endConnectedApplication: {
    method: 'DELETE',
    path: '/api/connected-applications/:id',
    permission: 'own_token:revoke',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
