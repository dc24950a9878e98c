import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { SharedStateRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import { isMachine } from '../access/is-machine.ts'
import type { Actor } from '../common/actor.ts'
import { revisionMismatch } from '../common/revision.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import type { UseCase } from '../use-case.ts'
import { selectSharedState, viewSharedState } from '../entities/shared-state/queries.ts'
import type { Tx } from '@svc/db/database'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Input = RouteInput<'setSharedState'>

/** Sets or removes a key, if nobody did since it was read. */
export async function setSharedState(
  context: UseCase,
  actor: Actor,
  input: Input,
): Promise<RouteOutput<'setSharedState'>> {
  const { id, key, value, expectedRevision } = input
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    authorize(actor, 'session:update', scopeOfMission(mission, id))
    const held = await readHeld(tx, mission, key)
    if (held.revision !== expectedRevision) throw await changedMeanwhile(tx, mission, key, held)
    if (value === null) {
      await remove(tx, mission, key)
      recordStateChange(tx, mission, { key, revision: null })
      return { entry: null }
    }
    refuseIfFull(held, key, value)
    const row = await put(tx, mission, actor, { key, value })
    recordStateChange(tx, mission, { key, revision: row.revision })
    return { entry: viewSharedState({ ...row, set_by_name: actor.userName }) }
  })
}

interface Held {
  /** The revision of the key; 0 where it is not set. */
  revision: number
  /** How many other keys there are, and the bytes of their values. */
  keys: number
  bytes: number
}

async function readHeld(tx: Tx, { workspace_id, id }: MissionRecord, key: string): Promise<Held> {
  const { rows } = await sql<Held>`
    select coalesce(max(revision) filter (where key = ${key}), 0)::float8 as revision,
           (count(*) filter (where key <> ${key}))::float8 as keys,
           coalesce(sum(octet_length(key) + octet_length(value::text))
                    filter (where key <> ${key}), 0)::float8 as bytes
      from shared_state where workspace_id = ${workspace_id} and mission_id = ${id}`.execute(tx)
  return rows[0] ?? { revision: 0, keys: 0, bytes: 0 }
}

async function changedMeanwhile(
  tx: Tx,
  mission: MissionRecord,
  key: string,
  { revision: currentRevision }: Held,
): Promise<ServiceError> {
  const now = currentRevision === 0 ? 'it is not set' : `it is at revision ${currentRevision}`
  const row = await selectSharedState(tx, mission).where('s.key', '=', key).executeTakeFirst()
  return revisionMismatch(
    `The key ${key} is not what was expected: ${now}. Read it again, then repeat the change.`,
    currentRevision,
    { entry: row ? viewSharedState(row) : null },
  )
}

function refuseIfFull({ keys, bytes }: Held, key: string, value: unknown): void {
  const wanted = bytes + Buffer.byteLength(key) + Buffer.byteLength(JSON.stringify(value))
  if (keys < limits.sharedStateKeys && wanted <= limits.sharedStateBytes) return
  throw new ServiceError(
    'too_large',
    `The shared state of a mission is ${limits.sharedStateBytes / 1024} KiB in ${limits.sharedStateKeys} keys at most. Remove a key, or keep long texts as artifacts.`,
    { maxBytes: limits.sharedStateBytes, maxKeys: limits.sharedStateKeys },
  )
}

async function put(
  tx: Tx,
  { workspace_id, id }: MissionRecord,
  actor: Actor,
  { key, value }: { key: string; value: unknown },
): Promise<SharedStateRow> {
  const set = {
    value: JSON.stringify(value),
    set_by: actor.userId,
    set_by_role: isMachine(actor) ? ('agent' as const) : ('person' as const),
  }
  return tx
    .insertInto('shared_state')
    .values({ workspace_id, mission_id: id, key, ...set })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'mission_id', 'key']).doUpdateSet({
        ...set,
        revision: sql<number>`excluded.revision`,
        updated_at: sql<Date>`app.now()`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function remove(tx: Tx, { workspace_id, id }: MissionRecord, key: string): Promise<void> {
  await tx
    .deleteFrom('shared_state')
    .where('workspace_id', '=', workspace_id)
    .where('mission_id', '=', id)
    .where('key', '=', key)
    .execute()
}

function recordStateChange(
  tx: UnitOfWork,
  mission: MissionRecord,
  data: Record<string, unknown>,
): void {
  recordChange(tx, { mission }, 'shared_state', data)
}
