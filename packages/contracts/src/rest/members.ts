import { z } from 'zod'
import { HeldAccess, MemberAccess } from '../held-access.ts'
import { Slug, Timestamp, Uuid } from '../ids.ts'
import { EmailAddress, Invitation, Member } from '../member.ts'
import { NextCursor } from '../page.ts'
import { Role } from '../permissions.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId, pageQuery } from './parts.ts'

export const membersEndpoints = {
  listMembers: {
    method: 'GET',
    path: '/api/members',
    permission: 'member:read',
    query: pageQuery,
    answer: z.strictObject({ members: z.array(Member), nextCursor: NextCursor }),
    status: 200,
  },
  /** What ends with the membership of somebody: of anybody for those who may remove them, and of oneself. */
  getMemberAccess: {
    method: 'GET',
    path: '/api/members/:id/access',
    permission: 'member:read',
    params: byId(Uuid),
    answer: z.strictObject({ ends: MemberAccess }),
    status: 200,
  },
  /** Only an owner makes, changes or removes an owner, and the last one stays. */
  updateMember: {
    method: 'PATCH',
    path: '/api/members/:id',
    permission: 'member:update',
    params: byId(Uuid),
    body: z.strictObject({ role: Role }),
    answer: z.strictObject({ member: Member }),
    status: 200,
    repeat: 'keyed',
  },
  /** Whoever calls is no member any more, which any of them may do; what is bound to a part of the workspace may not. */
  leaveWorkspace: {
    method: 'DELETE',
    path: '/api/members/me',
    permission: 'any',
    fullScope: true,
    query: z.strictObject({
      workspace: Slug.describe(
        'the workspace that is left, so that nobody leaves another one than they mean',
      ),
    }),
    answer: 'none',
    status: 204,
    repeat: 'natural',
  },
  /** Ends all that the person holds here in the same moment: tokens, connected applications, live feeds. */
  removeMember: {
    method: 'DELETE',
    path: '/api/members/:id',
    permission: 'member:remove',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
  /**
   * For somebody who is a member of no other workspace. The link is in this answer and nowhere else. Whoever opens it sees
   * `ends`, and ends it by setting a new password.
   */
  createResetLink: {
    method: 'POST',
    path: '/api/members/:id/reset-link',
    permission: 'member:update',
    fullScope: true,
    params: byId(Uuid),
    answer: z.strictObject({ link: z.url(), expiresAt: Timestamp, ends: HeldAccess }),
    status: 201,
    repeat: 'keyed',
  },
  listInvitations: {
    method: 'GET',
    path: '/api/invitations',
    permission: 'member:invite',
    query: pageQuery,
    answer: z.strictObject({ invitations: z.array(Invitation), nextCursor: NextCursor }),
    status: 200,
  },
  /** In place of an open one for the same address. The link is in this answer and nowhere else; nothing is mailed. A token gives no role that may do more than itself. */
  createInvitation: {
    method: 'POST',
    path: '/api/invitations',
    permission: 'member:invite',
    body: z.strictObject({ email: EmailAddress, role: Role.default('member') }),
    answer: z.strictObject({ invitation: Invitation, link: z.url() }),
    status: 201,
    repeat: 'keyed',
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/api/invitations/:id',
    permission: 'member:invite',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
