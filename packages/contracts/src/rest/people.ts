import { z } from 'zod'
import { LinkedIdentity } from '../identity.ts'
import { Uuid } from '../ids.ts'
import { NewPassword, SignIn, passwordLength } from '../sign-in.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId } from './parts.ts'

/** Calls of the person who is signed in, whatever their workspaces. */
export const peopleEndpoints = {
  listSignIns: {
    method: 'GET',
    path: '/api/me/sessions',
    permission: 'person',
    answer: z.strictObject({ sessions: z.array(SignIn) }),
    status: 200,
  },
  endSignIn: {
    method: 'DELETE',
    path: '/api/me/sessions/:id',
    permission: 'person',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'natural',
  },
  /** All of them, the one that asks too. */
  endSignIns: {
    method: 'DELETE',
    path: '/api/me/sessions',
    permission: 'person',
    answer: 'none',
    status: 204,
    repeat: 'natural',
  },
  /** Ends every other session of the person. */
  changePassword: {
    method: 'PUT',
    path: '/api/me/password',
    permission: 'person',
    body: z.strictObject({
      currentPassword: z.string().max(passwordLength.max),
      newPassword: NewPassword,
    }),
    answer: 'none',
    status: 204,
    repeat: 'natural',
  },
  listIdentities: {
    method: 'GET',
    path: '/api/me/identities',
    permission: 'person',
    answer: z.strictObject({ identities: z.array(LinkedIdentity) }),
    status: 200,
  },
  /** Ends every other session of the person. The last way to sign in is refused. */
  unlinkIdentity: {
    method: 'DELETE',
    path: '/api/me/identities/:id',
    permission: 'person',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'natural',
  },
} as const satisfies Record<string, EndpointContract>
