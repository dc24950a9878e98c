import type { RouteOutput } from '@svc/contracts/rest'
import type { UseCase } from '../use-case.ts'
import type { Person } from '../entities/people/person.ts'
import { signInsInForce } from './sign-ins.ts'

const mostListed = 200

/** Those in force, the newest first. */
export async function listSignIns(
  { domain }: UseCase,
  person: Person,
): Promise<RouteOutput<'listSignIns'>> {
  const rows = await signInsInForce(domain.db)
    .where('s.user_id', '=', person.userId)
    .select(['s.id', 's.browser', 's.network', 's.created_at', 's.last_used_at', 's.expires_at'])
    .orderBy('s.id', 'desc')
    .limit(mostListed)
    .execute()
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      browser: row.browser,
      from: row.network,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      isCurrent: row.id === person.signIn.id,
    })),
  }
}
