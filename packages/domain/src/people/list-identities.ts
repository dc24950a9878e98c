import type { RouteOutput } from '@svc/contracts/rest'
import type { UseCase } from '../use-case.ts'
import type { Person } from '../entities/people/person.ts'

/** The oldest first. */
export async function listIdentities(
  { domain }: UseCase,
  { userId }: Person,
): Promise<RouteOutput<'listIdentities'>> {
  const rows = await domain.db
    .selectFrom('user_identities')
    .select(['id', 'issuer', 'subject', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return {
    identities: rows.map(({ id, issuer, subject, created_at: linkedAt }) => ({
      id,
      issuer,
      subject,
      linkedAt: linkedAt.toISOString(),
    })),
  }
}
