import { z } from 'zod'
import { AuditAction, AuditEntry } from '../audit.ts'
import { NextCursor, PageQuery } from '../page.ts'
import type { EndpointContract } from './endpoint.ts'

export const auditEndpoints = {
  listAudit: {
    method: 'GET',
    path: '/api/audit',
    permission: 'audit:read',
    query: z.strictObject({ ...PageQuery, action: AuditAction.optional() }),
    answer: z.strictObject({ entries: z.array(AuditEntry), nextCursor: NextCursor }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
