import { sql } from 'kysely'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { discardGrantOf } from './grants.ts'
import { type AuthorizationRequest, lockDeniable } from './requests.ts'

/** Whatever a person allowed before, in another window or a moment ago, a denial ends: the request with it. */
export function denyRequest(context: UseCase, handle: string): Promise<AuthorizationRequest> {
  return inTransaction(context, async (tx) => {
    const request = await lockDeniable(tx, handle)
    await discardGrantOf(tx, request)
    await tx
      .updateTable('oauth_requests')
      .set({ used_at: sql<Date>`app.now()`, code_hash: null, approved_in: null, grant_id: null })
      .where('id', '=', request.id)
      .execute()
    return request
  })
}
