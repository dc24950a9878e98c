import { builtInEventTypes } from '@svc/contracts/events'
import { sql } from 'kysely'
import { openOutbound } from '@svc/outbound/open-outbound'
import { type Person, personWith } from './people.ts'
import type { World } from './world.ts'

type Identified = { id: string }

/** Rows that no answer shows, in the order in which they were made. */
export function sessionsOf({ domain }: World, mission: Identified) {
  return domain.db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('mission_id', '=', mission.id)
    .orderBy('seq')
    .execute()
}

export function outboxOf({ domain }: World, mission: Identified) {
  return domain.db
    .selectFrom('webhook_events')
    .selectAll()
    .where('mission_id', '=', mission.id)
    .orderBy('id')
    .execute()
}

/** A webhook that is to hear of everything in the workspace, so that each event leaves a job. Nothing is sent. */
export async function hearOfAll({ domain, alice }: World): Promise<void> {
  const mayReach = { ...domain, outbound: openOutbound(['*@127.0.0.1']) }
  await personWith(mayReach, alice.token).call('createWebhook', {
    name: 'All',
    endpointUrl: 'http://127.0.0.1:9999/all',
    eventTypes: [...builtInEventTypes],
  })
}

interface Job {
  id: string
  name: string
  data: object
}

export async function jobsOf({ domain }: World, events: readonly Identified[]): Promise<Job[]> {
  const ids = events.map((event) => event.id)
  const { rows } = await sql<Job>`
    select id, name, data from pgboss.job where data ->> 'eventId' = any(${ids}) order by id
    `.execute(domain.db)
  return rows
}

/** The same person with a token that is good for one objective alone. */
export async function tokenForObjective(
  { domain }: Pick<World, 'domain'>,
  person: Person,
  objective: { id: string },
): Promise<Person> {
  const bound = await person.withPreset('full')
  const { credential } = await bound.actor()
  await domain.db
    .updateTable('user_tokens')
    .set({ objective_id: objective.id })
    .where('id', '=', credential.id)
    .execute()
  return bound
}
