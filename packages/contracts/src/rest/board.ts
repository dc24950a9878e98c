import { z } from 'zod'
import { BoardColumn, CardBadge } from '../board.ts'
import { Uuid } from '../ids.ts'
import { limits } from '../limits.ts'
import { ProjectName } from '../need.ts'
import { PageQuery } from '../page.ts'
import { Priority } from '../states.ts'
import type { EndpointContract } from './endpoint.ts'
import { SearchText, StatusTypeList, projectParams } from './parts.ts'

export const boardEndpoints = {
  /**
   * The newest missions of each status of a project, with what each is at. Of one column its next page, with `statusId` and
   * the column's cursor; a page may hold fewer than asked for and go on all the same, where few pass the filters.
   */
  getBoard: {
    method: 'GET',
    path: '/api/projects/:id/board',
    permission: 'mission:read',
    params: projectParams,
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(limits.cardsMax).default(limits.cards),
      cursor: PageQuery.cursor,
      /** One column. */
      statusId: Uuid.optional(),
      /** Each word is found in the title, or in the title or the instruction of an objective, where one begins so. */
      query: SearchText.optional(),
      statusTypes: StatusTypeList.optional(),
      priority: Priority.optional(),
      badge: CardBadge.optional(),
    }),
    answer: z.strictObject({
      project: ProjectName.extend({ name: z.string() }),
      /** In the order of the project. */
      columns: z.array(BoardColumn),
    }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
