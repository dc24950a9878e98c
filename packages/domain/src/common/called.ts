import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'

/**
 * The ids of what was called by id or by display id, by what it was called; without those that are not there. `found`
 * selects the id of the display id `called.ref`; each is looked up by itself, which the offset keeps.
 */
export async function idsOfCalled(
  db: Queryable,
  refs: readonly string[],
  found: RawBuilder<unknown>,
): Promise<Map<string, string>> {
  const byId = refs.filter(isUuid).map((ref) => [ref, ref.toLowerCase()] as const)
  const called = refs.filter((ref) => !isUuid(ref))
  if (called.length === 0) return new Map(byId)
  const { rows } = await sql<{ ref: string; id: string }>`
    select called.ref, found.id
      from unnest(${called}::text[]) as called(ref)
     cross join lateral (${found} offset 0) found`.execute(db)
  return new Map([...byId, ...rows.map(({ ref, id }) => [ref, id] as const)])
}
