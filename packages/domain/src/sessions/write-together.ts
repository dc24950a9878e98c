import { savepoint } from '../commit/transaction.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** All in one statement; where that fails, each half by itself, down to the single items that cannot be written. */
export async function writeTogether<T>(
  tx: UnitOfWork,
  items: readonly T[],
  write: (part: readonly T[]) => Promise<unknown>,
  drop: (item: T) => void,
): Promise<void> {
  const [first, ...others] = items
  if (first === undefined) return
  const written = await savepoint(tx, () => write(items))
  if (written.ok) return
  if (others.length === 0) return drop(first)
  const middle = Math.ceil(items.length / 2)
  await writeTogether(tx, items.slice(0, middle), write, drop)
  await writeTogether(tx, items.slice(middle), write, drop)
}
