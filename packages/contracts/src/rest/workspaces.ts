import { z } from 'zod'
import { Revision, Slug, Timestamp, Uuid } from '../ids.ts'
import { Title } from '../objective.ts'
import { NextCursor } from '../page.ts'
import { WorkspaceToken } from '../user-token.ts'
import { OwnWorkspace, TokenDays, Workspace } from '../workspace.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId, pageQuery } from './parts.ts'

const workspaceAnswer = z.strictObject({ workspace: Workspace })

export const workspacesEndpoints = {
  /** Whoever makes it owns it. Its slug is what makes it one: sent again, it is answered as it is. */
  createWorkspace: {
    method: 'POST',
    path: '/api/workspaces',
    permission: 'person',
    body: z.strictObject({ slug: Slug, name: Title }),
    answer: z.strictObject({ workspace: OwnWorkspace }),
    status: 201,
    repeat: 'natural',
  },
  getWorkspace: {
    method: 'GET',
    path: '/api/workspace',
    permission: 'workspace:read',
    answer: workspaceAnswer,
    status: 200,
  },
  updateWorkspace: {
    method: 'PATCH',
    path: '/api/workspace',
    permission: 'workspace:update',
    body: z.strictObject({
      name: Title.optional(),
      maxTokenDays: TokenDays.optional(),
      expectedRevision: Revision.optional(),
    }),
    answer: workspaceAnswer,
    status: 200,
    repeat: 'keyed',
  },
  /**
   * At once its runs are cancelled, its tokens and sign-ins good for nothing, and its webhooks silent. For 30 days an owner
   * restores it, by a token of theirs that was good in it; then it goes for good.
   */
  deleteWorkspace: {
    method: 'POST',
    path: '/api/workspace/delete',
    permission: 'workspace:delete',
    fullScope: true,
    body: z.strictObject({
      name: Title.describe('the name of the workspace, typed: with another one nothing is deleted'),
    }),
    answer: z.strictObject({ workspace: Workspace, restorableUntil: Timestamp }),
    status: 200,
    repeat: 'natural',
  },
  /** With all that was in it; its runs stay cancelled. One that is not deleted is answered as it is. */
  restoreWorkspace: {
    method: 'POST',
    path: '/api/workspace/restore',
    permission: 'workspace:delete',
    fullScope: true,
    answer: workspaceAnswer,
    status: 200,
    repeat: 'natural',
  },
  /** Everybody's, those of connected applications too. */
  listWorkspaceTokens: {
    method: 'GET',
    path: '/api/workspace/user-tokens',
    permission: 'token:read',
    query: pageQuery,
    answer: z.strictObject({ userTokens: z.array(WorkspaceToken), nextCursor: NextCursor }),
    status: 200,
  },
  revokeWorkspaceToken: {
    method: 'DELETE',
    path: '/api/workspace/user-tokens/:id',
    permission: 'token:revoke',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
