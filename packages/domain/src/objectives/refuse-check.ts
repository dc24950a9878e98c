import { noCheck } from '@svc/contracts/check'
import { ServiceError } from '@svc/contracts/errors'
import { isMachine } from '../access/is-machine.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { selectChecks } from '../entities/projects/queries.ts'
import type { Tx } from '@svc/db/database'

/**
 * Which check stands before a delivery is a person's to say: what a runner or an agent holds could let its own work
 * through. One that is named is one of the project's.
 */
export async function refuseCheck(
  tx: Tx,
  actor: Actor,
  { workspace_id, project_id }: MissionRecord,
  chosen: readonly (string | null | undefined)[],
): Promise<void> {
  const given = chosen.filter((check) => check !== undefined)
  if (given.length === 0) return
  if (isMachine(actor)) {
    throw new ServiceError(
      'forbidden',
      'Only a person says which check stands before a delivery: use a token of your own, not that of a runner or of an agent.',
      { permission: 'objective:update' },
    )
  }
  const named = given.filter((check) => check !== null).filter((check) => check !== noCheck)
  if (named.length === 0) return
  const { rows } = await selectChecks(workspace_id, project_id).execute(tx)
  const known = Object.keys(rows[0]?.checks ?? {}).toSorted()
  const unknown = named.find((check) => !known.includes(check))
  if (unknown === undefined) return
  const those = known.length === 0 ? 'it names none' : `it has ${known.join(', ')}`
  throw validationFailed('check', `the project has no check ${unknown}: ${those}; or say none`)
}
