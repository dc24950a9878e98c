import { sql } from 'kysely'
import { openApiClient } from './client.ts'
import { type Machine, machineFor, walk } from './cycle.ts'
import { drive, perSecond } from './drive.ts'
import { fillDrafts } from './fill.ts'
import type { Stage } from './stage.ts'

/** More cycles a second than will be reached: so many missions are laid out. */
const ceiling = 400

export interface Leg {
  cyclesPerSecond: number
  /** Milliseconds of processor time for a cycle. */
  applicationMs: number
  postgresMs: number
}

interface Member {
  machine: Machine
  objectives: string[]
}

/** Clients that launch and run missions, each with a machine, a project and missions of its own. */
export function openFleet(stage: Stage): (clients: number, milliseconds: number) => Promise<Leg> {
  const members = stage.places.map(({ projectId }): Member => ({
    machine: machineFor(projectId),
    objectives: [],
  }))
  return async (clients, milliseconds) => {
    const each = Math.ceil((ceiling * milliseconds) / 1000 / clients)
    await layOut(stage, members.slice(0, clients), each)
    await using api = openApiClient(stage.api.url, clients)
    const before = stage.cpu()
    const driven = await drive(clients, milliseconds, async (client) => {
      const { machine, objectives } = required(members[client])
      const objectiveId = required(objectives.pop())
      await walk(api, { objectiveId, machine, token: stage.nextToken() })
    })
    const after = stage.cpu()
    return {
      cyclesPerSecond: perSecond(driven),
      applicationMs: (after.application - before.application) / driven.count,
      postgresMs: (after.postgres - before.postgres) / driven.count,
    }
  }
}

async function layOut(stage: Stage, members: readonly Member[], each: number): Promise<void> {
  await endRuns(stage)
  for (const [index, { objectives }] of members.entries()) {
    const missing = each - objectives.length
    if (missing <= 0) continue
    objectives.push(...(await fillDrafts(stage.db, required(stage.places[index]), missing)))
  }
}

/** A cycle ends with the delivery; without the runner's report of the end the sweep would end the runs while others are measured. */
export async function endRuns({ db }: Stage): Promise<void> {
  await sql`update execution_requests set ended_at = app.now(), lease_expires_at = null
             where status = 'launched' and outcome = 'delivered' and ended_at is null`.execute(db)
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('lay out more missions: raise the ceiling')
  return value
}
