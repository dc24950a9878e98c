import { z } from 'zod'
import { Attachment, AttachmentName, MediaType } from '../context.ts'
import { Uuid } from '../ids.ts'
import { limits } from '../limits.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId, objectiveParams } from './parts.ts'

export const attachmentsEndpoints = {
  listAttachments: {
    method: 'GET',
    path: '/api/objectives/:id/attachments',
    permission: 'mission:read',
    params: objectiveParams,
    answer: z.strictObject({ attachments: z.array(Attachment) }),
    status: 200,
  },
  addAttachment: {
    method: 'POST',
    path: '/api/objectives/:id/attachments',
    permission: 'objective:update',
    params: objectiveParams,
    query: z.strictObject({
      name: AttachmentName,
      mediaType: MediaType.default('application/octet-stream'),
    }),
    body: 'bytes',
    bodyBytes: limits.attachmentBytes,
    answer: z.strictObject({ attachment: Attachment }),
    status: 201,
    repeat: 'keyed',
  },
  /** A download whatever its type, so that nothing in it runs in a browser. */
  getAttachment: {
    method: 'GET',
    path: '/api/attachments/:id',
    permission: 'mission:read',
    params: byId(Uuid),
    answer: 'bytes',
    status: 200,
  },
  deleteAttachment: {
    method: 'DELETE',
    path: '/api/attachments/:id',
    permission: 'objective:update',
    params: byId(Uuid),
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
