import { z } from 'zod'
import { Need, NeedCounts } from '../need.ts'
import { NextCursor, PageQuery } from '../page.ts'
import type { EndpointContract } from './endpoint.ts'
import { ProjectList } from './parts.ts'

export const needsEndpoints = {
  /**
   * Everything that waits for a person, agents that wait first, and of a kind what was made first. A row goes with its
   * cause. Of tokens those of everybody for who may list these, else one's own. A page ends early where its questions are
   * long; `nextCursor` alone says whether there is more.
   */
  listNeeds: {
    method: 'GET',
    path: '/api/needs',
    permission: 'mission:read',
    query: z.strictObject({
      ...PageQuery,
      whose: z
        .enum(['mine', 'all'])
        .default('mine')
        .describe('`mine`: what came of your launches, and for admins what nobody launched'),
      projectId: ProjectList.optional(),
    }),
    answer: z.strictObject({
      needs: z.array(Need),
      /** Of all pages, and of the projects that were asked for. */
      counts: NeedCounts,
      nextCursor: NextCursor,
    }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
