import { z } from 'zod'
import { Revision, Slug, Uuid } from '../ids.ts'
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
