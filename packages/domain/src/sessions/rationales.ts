import { echoed } from '@svc/contracts/echoed'
import { ChangeRationale, rationaleBounds } from '@svc/contracts/change-rationale'
import { limits } from '@svc/contracts/limits'
import type { DeliveryRow, ObjectiveRow } from '@svc/db/tables'
import { type Warnings, cutWithWarning } from '../common/warnings.ts'
import { writeTogether } from './write-together.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/**
 * The last valid rationale of each path, of the first so many paths. Each bad item is dropped alone, with a warning: an
 * unknown key, in a hunk too, drops the whole item. What is only too long or too much is cut. Decision 77.
 */
export function readRationales(given: unknown, warnings: Warnings): ChangeRationale[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) {
    warnings.add('changeRationales dropped: give a list')
    return []
  }
  const most = limits.rationalesPerDelivery
  const byPath = new Map<string, ChangeRationale>()
  let others = 0
  for (const [index, item] of given.entries()) {
    const where = `changeRationales[${index}]`
    const read = readRationale(item, where, warnings)
    if (typeof read === 'string') warnings.add(`${where} dropped: ${read}`)
    else if (byPath.size < most || byPath.has(read.filePath)) byPath.set(read.filePath, read)
    else others += 1
  }
  if (others > 0) warnings.add(`${others} changeRationales dropped: give at most ${most} paths`)
  return [...byPath.values()]
}

/** What is wrong with it, if it is none. */
function readRationale(item: unknown, where: string, warnings: Warnings): ChangeRationale | string {
  // a body has room for a million of these, and a schema takes its time
  if (typeof item !== 'object' || item === null || !('filePath' in item)) return 'give a filePath'
  const parsed = ChangeRationale.safeParse(cutToFit(item, where, warnings))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `${issue?.path.join('.') ?? ''} ${echoed(issue?.message ?? '')}`
}

/** The same with the texts and the hunks that are kept of it; anything else is for the schema to judge. */
function cutToFit(item: object, where: string, warnings: Warnings): object {
  const fit = Object.entries(item).map(([key, value]: [string, unknown]) => {
    const at = `${where}.${key}`
    if (typeof value === 'string' && isBounded(key)) {
      return [key, cutWithWarning(value, rationaleBounds[key], at, warnings)]
    }
    if (key !== 'hunks' || !Array.isArray(value)) return [key, value]
    const most = limits.hunksPerRationale
    if (value.length > most) warnings.add(`${at} is cut: give at most ${most}`)
    const kept: unknown[] = value.slice(0, most)
    return [key, kept.map((hunk, index) => cutHunk(hunk, `${at}[${index}]`, warnings))]
  })
  return Object.fromEntries(fit)
}

function cutHunk(hunk: unknown, where: string, warnings: Warnings): unknown {
  const isObject = typeof hunk === 'object' && hunk !== null && !Array.isArray(hunk)
  return isObject ? cutToFit(hunk, where, warnings) : hunk
}

function isBounded(key: string): key is keyof typeof rationaleBounds {
  return Object.hasOwn(rationaleBounds, key)
}

interface RationaleOwner {
  objective: ObjectiveRow
  delivery?: DeliveryRow
}

/** Advice in addition to the work: one that cannot be written is dropped alone and never refuses the call. */
export async function writeRationales(
  tx: UnitOfWork,
  owner: RationaleOwner,
  rationales: readonly ChangeRationale[],
  warnings: Warnings,
): Promise<void> {
  await writeTogether(
    tx,
    rationales,
    (part) => insertRationales(tx, owner, part),
    ({ filePath }) => warnings.add(`The rationale of ${filePath} could not be stored`),
  )
}

function insertRationales(
  tx: Tx,
  { objective, delivery }: RationaleOwner,
  rationales: readonly ChangeRationale[],
): Promise<unknown> {
  const rows = rationales.map(({ filePath, hunks, ...text }) => ({
    ...text,
    workspace_id: objective.workspace_id,
    mission_id: objective.mission_id,
    objective_id: objective.id,
    file_path: filePath,
    hunks: hunks ? JSON.stringify(hunks) : null,
    delivery_id: delivery?.id ?? null,
  }))
  return tx
    .insertInto('change_rationales')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'mission_id', 'objective_id', 'file_path'])
        .doUpdateSet((row) => ({
          label: row.ref('excluded.label'),
          summary: row.ref('excluded.summary'),
          why: row.ref('excluded.why'),
          impact: row.ref('excluded.impact'),
          hunks: row.ref('excluded.hunks'),
          delivery_id: row.ref('excluded.delivery_id'),
        })),
    )
    .execute()
}
