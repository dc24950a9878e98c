import { z } from 'zod'
import { AgentKey, ModelName, ProjectRef, Uuid } from '../ids.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { RunEnds, UsageGroup, UsageSum, noEnds } from '../usage.ts'
import type { EndpointContract } from './endpoint.ts'

/** Comma-separated in an address. */
const Groups = z
  .string()
  .transform((given) => given.split(','))
  .pipe(
    z
      .array(UsageGroup)
      .max(UsageGroup.options.length)
      .refine((groups) => new Set(groups).size === groups.length, { message: 'name each once' }),
  )

/** The database knows days that this text can name, and no others. */
const Day = z.iso
  .date()
  .refine((day) => day >= '0001-01-01', { message: 'use a day after the year 0' })

const Sum = UsageSum.extend({ ends: RunEnds.default({ ...noEnds }) })

const Project = z.strictObject({ id: Uuid, slug: z.string() })

export const usageEndpoints = {
  /**
   * What runs have used, summed over weeks of 7 days from Monday on, in UTC; a run counts for the week in which it was
   * launched. Of 105 weeks at most, for so long it is kept. The sums are of whole projects: a token that is bound to
   * projects sees theirs.
   */
  getUsage: {
    method: 'GET',
    path: '/api/usage',
    permission: 'workspace:read',
    query: z.strictObject({
      ...PageQuery,
      by: Groups.prefault('project').describe(
        `one row for each combination of these, with commas: ${UsageGroup.options.join(', ')}`,
      ),
      projectId: ProjectRef.optional(),
      agent: AgentKey.optional(),
      model: ModelName.optional(),
      /** Of runs that were launched without a model alone: their agents have taken their own. */
      ownModel: z.literal('true').optional(),
      since: Day.describe('a day of the first week; 12 weeks ago when left out').optional(),
      until: Day.describe('a day of the last week').optional(),
    }),
    answer: z.strictObject({
      /** The Monday of the first week. */
      since: z.iso.date(),
      rows: z.array(
        Sum.extend({
          project: Project.optional(),
          agent: z.string().optional(),
          /** Null: the agent's own default. */
          model: z.string().nullable().optional(),
          week: z.iso.date().optional(),
        }),
      ),
      /** Over all rows, whatever the page. */
      total: Sum,
      nextCursor: NextCursor,
    }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
