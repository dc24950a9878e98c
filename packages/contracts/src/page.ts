import { z } from 'zod'
import { limits } from './limits.ts'

/** Query of every list: newest first unless the list says otherwise; `cursor` comes from the page before. */
export const PageQuery = {
  limit: z.coerce.number().int().min(1).max(limits.pageItemsMax).default(limits.pageItems),
  cursor: z.string().max(200).optional(),
}

export const NextCursor = z.string().optional()
