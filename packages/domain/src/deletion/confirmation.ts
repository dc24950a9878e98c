import { cutText } from '@svc/contracts/cut-text'
import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import type { MissionRow, RunQueueEntryRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { type Going, runOf } from './end-for-deletion.ts'

/** Which objectives of these missions stand in a run queue. The caller holds the locks of the missions. */
export async function listQueued(
  tx: Tx,
  missions: readonly Pick<MissionRow, 'workspace_id' | 'id'>[],
): Promise<Pick<RunQueueEntryRow, 'mission_id' | 'objective_id'>[]> {
  const { rows } = await sql<Pick<RunQueueEntryRow, 'mission_id' | 'objective_id'>>`
    select e.mission_id, e.objective_id from run_queue_entries e
     where e.workspace_id = ${missions[0]?.workspace_id}
       and e.mission_id = any(${missions.map(({ id }) => id)}::uuid[])`.execute(tx)
  return rows
}

type What = 'missions' | 'objectives'

/** One line of what a person is asked to approve. */
interface Resolved {
  displayId: string
  title: string
  /** What it is in now, as a person reads it. */
  state: string
  running: boolean
  /** So many objectives of it stand in a run queue, and leave it for good: what is restored is not queued again. */
  queued: number
}

interface Confirmation {
  confirm?: boolean | undefined
  /** The runs of the list that was approved. */
  running?: readonly string[] | undefined
}

const titleCharacters = 80

/** Nothing is deleted before a person has seen what it would be, and what would be ended for it. Decision 36. */
export function refuseUnlessConfirmed(
  { confirm, running = [] }: Confirmation,
  { what, resolved, going }: { what: What; resolved: readonly Resolved[]; going: readonly Going[] },
): void {
  const runs = going.map(runOf).filter((run) => run !== undefined)
  if (confirm === true && runs.every((run) => running.includes(run))) return
  throw confirmationRequired(what, resolved, runs)
}

function confirmationRequired(
  what: What,
  resolved: readonly Resolved[],
  runs: readonly string[],
): ServiceError {
  const lines = resolved.map(({ displayId, title, state, running, queued }) => {
    const shown = `${displayId} "${cutText(title, titleCharacters)}" (${state}`
    const leaving = queued === 0 ? '' : ', queued: what is in a run queue leaves it'
    return `${shown}${running ? ', running: its run is cancelled' : ''}${leaving})`
  })
  const named = resolved.map(({ displayId }) => displayId).join(' ')
  const running = runs.length > 0 ? { running: runs.join(' ') } : {}
  const next =
    what === 'missions'
      ? ({ operation: 'deleteMissions', params: { missionIds: named, ...running } } as const)
      : ({ operation: 'deleteObjectives', params: { objectiveIds: named, ...running } } as const)
  return new ServiceError(
    'confirmation_required',
    `Nothing was deleted before a person confirms it. It would be these ${what}: ${lines.join('; ')}.`,
    { resolved, running: runs },
    { next },
  )
}
