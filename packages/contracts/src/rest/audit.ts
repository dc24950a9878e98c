import { z } from 'zod'
import { AuditAction, AuditEntry } from '../audit.ts'
import { Uuid } from '../ids.ts'
import { NextCursor, PageQuery } from '../page.ts'
import type { EndpointContract } from './endpoint.ts'
import { Moment } from './parts.ts'

export const auditEndpoints = {
  /**
   * Newest first. Of several filters together a page looks through the newest 5,000 entries of one of them: it may hold
   * few or none, and names the next page all the same.
   */
  listAudit: {
    method: 'GET',
    path: '/api/audit',
    permission: 'audit:read',
    query: z.strictObject({
      ...PageQuery,
      action: AuditAction.optional(),
      /** Whoever did it. */
      actorId: Uuid.optional(),
      /** What it was done to: a person, a token, a mission … */
      targetId: Uuid.optional(),
      since: Moment.optional(),
      before: Moment.optional(),
    }),
    answer: z.strictObject({ entries: z.array(AuditEntry), nextCursor: NextCursor }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
