import { z } from 'zod'
import { ResourceKey, Slug, Timestamp, Uuid } from './ids.ts'
import { CheckoutState, Runner } from './runner.ts'

/** A runner with what it last said of itself. Paths of its machine are shown to its owner alone. */
export const RunnerDetail = z.strictObject({
  ...Runner.shape,
  owner: z.strictObject({ id: Uuid, name: z.string() }),
  /** Those that it takes launches of; null: every project. */
  projects: z.array(z.strictObject({ id: Uuid, slug: Slug })).nullable(),
  /** The agents that it offers now, as `agents`. */
  offers: z.array(
    z.strictObject({
      key: z.string(),
      version: z.string().nullable(),
      path: z.string().nullable(),
    }),
  ),
  /** Linked resources that it has a checkout of. */
  checkouts: z.array(
    z.strictObject({
      project: z.strictObject({ id: Uuid, slug: Slug }),
      resourceKey: ResourceKey,
      state: CheckoutState,
      path: z.string().nullable(),
    }),
  ),
  createdAt: Timestamp,
})
export type RunnerDetail = z.infer<typeof RunnerDetail>
