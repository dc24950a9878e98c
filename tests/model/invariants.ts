import type { Queryable } from '@svc/db/database'
import { findBroken } from '../invariants.ts'
import { Violation } from './command.ts'

export async function checkInvariants(db: Queryable): Promise<void> {
  const broken = await findBroken(db)
  const [first] = broken
  if (!first) return
  throw new Violation(first.invariant, `broken by ${broken.map(({ id }) => id).join(', ')}`)
}
