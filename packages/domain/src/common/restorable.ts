import { limits } from '@svc/contracts/limits'
import { type RawBuilder, sql } from 'kysely'

const hours = limits.restorableDays * 24

/** In hours: an interval of days is as long as its days are in the time zone of the session, of which one in spring has 23. */
const forSoLong = sql`make_interval(hours => ${sql.lit(hours)})`

/** What was deleted before this moment is gone for good. */
export const restorableSince = sql<Date>`(app.now() - ${forSoLong})`

/** Until when, by the column that says when it was deleted; null where it is not. */
export function selectRestorableUntil(deletedAt: RawBuilder<Date | null>): RawBuilder<Date> {
  return sql<Date>`${deletedAt} + ${forSoLong}`
}

/** The same as ISO 8601. */
export function restorableUntil(deletedAt: Date): string {
  return new Date(deletedAt.getTime() + hours * 3_600_000).toISOString()
}
