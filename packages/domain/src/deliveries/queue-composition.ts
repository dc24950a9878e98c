import type { DeliveryRow } from '@svc/db/tables'
import { z } from 'zod'
import { queues } from '../jobs/jobs.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export const CompositionJob = z.object({ workspaceId: z.uuid(), deliveryId: z.uuid() })

/** The job has the delivery's id, so that there is one for ever. It is written with the commit. */
export function queueComposition(tx: UnitOfWork, { workspace_id, id }: DeliveryRow): void {
  const data: z.infer<typeof CompositionJob> = { workspaceId: workspace_id, deliveryId: id }
  tx.pending.addJob(queues.presentation, { id, data })
}
