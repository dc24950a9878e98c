import { z } from 'zod'
import { SharedStateEntry, SharedStateKey } from '../context.ts'
import { freeJson } from '../free-text.ts'
import { MissionRef } from '../ids.ts'
import { limits } from '../limits.ts'
import type { EndpointContract } from './endpoint.ts'
import { missionParams } from './parts.ts'

export const sharedStateEndpoints = {
  listSharedState: {
    method: 'GET',
    path: '/api/missions/:id/shared-state',
    permission: 'mission:read',
    params: missionParams,
    answer: z.strictObject({ sharedState: z.array(SharedStateEntry) }),
    status: 200,
  },
  setSharedState: {
    method: 'PUT',
    path: '/api/missions/:id/shared-state/:key',
    permission: 'session:update',
    params: z.strictObject({ id: MissionRef, key: SharedStateKey }),
    body: z.strictObject({
      /** null removes the key */
      value: freeJson(z.json(), limits.sharedStateBytes),
      /** What was read; 0 where there was nothing. */
      expectedRevision: z.int().min(0),
    }),
    answer: z.strictObject({ entry: SharedStateEntry.nullable() }),
    status: 200,
    repeat: 'keyed',
  },
} as const satisfies Record<string, EndpointContract>
