import type { Mission } from '@svc/contracts/mission'
import type { Project } from '@svc/contracts/project'
import type { World } from '@svc/domain/testing/open-world'
import { sql } from 'kysely'

const shownToAll = new WeakMap<World, Promise<Project>>()

/** A board in the middle of its work, the same for all who only look at it. */
export function boardToLookAt(world: World): Promise<Project> {
  const known = shownToAll.get(world) ?? makeBoard(world)
  shownToAll.set(world, known)
  return known
}

async function makeBoard(world: World): Promise<Project> {
  const { alice } = world
  const { project } = await alice.call('createProject', { name: 'Design system', slug: 'design' })
  const runner = await world.connectedRunner(project, { label: 'lap-of-design' })
  const mission = async (title: string, set: object = {}) =>
    (await world.missionWith(['Plan it', 'Do it'], { project, title, ...set })).mission
  const run = async (of: Awaited<ReturnType<typeof mission>>) =>
    (await world.attachedRun(of.objectives[0], runner)).agent

  const done = await mission('Sign-in page')
  await alice.call('moveMission', { id: done.id, statusId: 'complete' })
  await (await run(await mission('Faster search'))).deliver({ summary: 'Search asks an index.' })
  await (await run(await mission('Export as CSV'))).heartbeat({ percent: 60 })
  const asking = await run(await mission('Theme switch', { priority: 'high' }))
  await asking.ask({ question: 'Keep the old cookie name, or sign everybody out?' })
  const failing = await mission('Icons in two weights')
  await alice.launch(failing.objectives[0])
  await runner.failed(await runner.take())
  const queued = await mission('Print stylesheet')
  await alice.launch(queued.objectives[0], { agent: 'rare' })
  await mission('Dark icons', { priority: 'urgent' })
  await mission('A title that goes on for longer than a card is wide, and so for a second line')
  return project
}

/** So many missions in the first column, which nothing has been done to. */
export async function fillColumn(
  { domain }: World,
  mission: Mission,
  count: number,
): Promise<void> {
  await sql`
    insert into missions (workspace_id, id, project_id, sequence, title, status_id, priority, created_by)
    select workspace_id, overlay(gen_random_uuid()::text placing '00000000' from 1 for 8)::uuid, project_id,
           10000 + n, 'One of many', status_id, 'normal', created_by
      from missions, generate_series(1, ${count}::int) n where id = ${mission.id}`.execute(
    domain.db,
  )
}

/** The events that subscribers are told of, since the project was made. */
export async function countStatusChanged({ domain }: World, projectId: string): Promise<number> {
  const { rows } = await sql`
    select from webhook_events
     where project_id = ${projectId} and type = 'mission.status_changed'`.execute(domain.db)
  return rows.length
}
