import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import { beginFeedAnew } from '../feed/begin-anew.ts'
import type { KeyRing } from '../common/key-ring.ts'
import { opensCanary } from '../ready.ts'
import { findViolations } from '../entities/run-queues/invariants.ts'

/**
 * Looks whether what an import has brought is as the service leaves it, beyond what constraints hold, and readable with
 * these keys; it throws what to do where it is not.
 */
export async function settleImported(tx: Tx, keys: KeyRing): Promise<void> {
  if (!(await opensCanary(tx, keys))) {
    throw new ServiceError(
      'unavailable',
      'The export belongs to another key ring: set SVC_SECRET_KEYS to that of the service that it was taken from. Nothing was imported.',
    )
  }
  const violations = await findViolations(tx)
  if (violations.length > 0) {
    const broken = violations.map(({ invariant, id }) => `${invariant} (${id})`)
    throw new ServiceError(
      'unavailable',
      `The export is not as the service leaves it: ${broken.join('; ')}. Nothing was imported: let the apps that it was taken from run for a minute, which repairs what can be, and export anew.`,
    )
  }
  await beginFeedAnew(tx)
}
