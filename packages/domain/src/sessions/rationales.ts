import { ChangeRationale } from '@svc/contracts/change-rationale'
import type { Tx } from '@svc/db/database'
import type { ObjectiveRow } from '@svc/db/tables'
import type { Warnings } from '../warnings.ts'
import { savepoint } from '../commit/transaction.ts'

/**
 * The valid rationales, the last one of each path, in order. Each bad item is dropped alone, with a warning: an
 * unknown key, in a hunk too, drops the whole item. Decision 77.
 */
export function readRationales(items: readonly unknown[], warnings: Warnings): ChangeRationale[] {
  const byPath = new Map<string, ChangeRationale>()
  for (const [index, item] of items.entries()) {
    const parsed = ChangeRationale.safeParse(item)
    if (parsed.success) {
      byPath.delete(parsed.data.filePath)
      byPath.set(parsed.data.filePath, parsed.data)
      continue
    }
    const [issue] = parsed.error.issues
    warnings.add(
      `changeRationales[${index}] dropped: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    )
  }
  return [...byPath.values()]
}

/** Advice beside the work: one that cannot be written is dropped alone and never refuses the call. */
export async function writeRationales(
  tx: Tx,
  objective: ObjectiveRow,
  deliveryId: string | null,
  rationales: readonly ChangeRationale[],
  warnings: Warnings,
): Promise<void> {
  for (const rationale of rationales) {
    const written = await savepoint(tx, () => writeRationale(tx, objective, deliveryId, rationale))
    if (!written.ok) warnings.add(`The rationale of ${rationale.filePath} could not be stored`)
  }
}

async function writeRationale(
  tx: Tx,
  objective: ObjectiveRow,
  deliveryId: string | null,
  rationale: ChangeRationale,
): Promise<void> {
  const { filePath, hunks, ...text } = rationale
  const values = { ...text, hunks: hunks ? JSON.stringify(hunks) : null, delivery_id: deliveryId }
  await tx
    .insertInto('change_rationales')
    .values({
      ...values,
      workspace_id: objective.workspace_id,
      mission_id: objective.mission_id,
      objective_id: objective.id,
      file_path: filePath,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'mission_id', 'objective_id', 'file_path'])
        .doUpdateSet(values),
    )
    .execute()
}
