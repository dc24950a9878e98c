import { z } from 'zod'
import { limits } from './limits.ts'
import { ProjectResource } from './project.ts'
import { CheckoutState, Runner } from './runner.ts'

/** A resource with those runners that have a checkout of it, whoever was heard of last first. */
export const ListedResource = z.strictObject({
  ...ProjectResource.shape,
  checkouts: z
    .array(
      z.strictObject({
        runner: Runner.pick({ id: true, label: true, state: true }),
        state: CheckoutState,
      }),
    )
    .max(limits.listedCheckouts),
})
export type ListedResource = z.infer<typeof ListedResource>
