import type { Tx } from '@svc/db/database'
import type { DeliveryRow } from '@svc/db/tables'
import { z } from 'zod'
import { queues } from '../jobs/jobs.ts'
import { carriedBy } from '../commit/transaction.ts'

export const CompositionJob = z.object({ workspaceId: z.uuid(), deliveryId: z.uuid() })

/** The job has the delivery's id, so that there is one for ever. It is written with the commit. */
export function queueComposition(tx: Tx, { workspace_id, id }: DeliveryRow): void {
  const data: z.infer<typeof CompositionJob> = { workspaceId: workspace_id, deliveryId: id }
  carriedBy(tx).collected.addJob(queues.presentation, { id, data })
}
