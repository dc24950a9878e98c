import type { World } from '@svc/domain/testing/open-world'
import { sql } from 'kysely'

/** So many entries of the trail, a minute apart into the past, of one person and about them; each has its number. */
export async function writeTrail(
  { domain, workspaceId }: World,
  { userId, count, action = 'sign_in.started' }: { userId: string; count: number; action?: string },
): Promise<void> {
  await sql`
    insert into audit_trail (workspace_id, id, created_at, actor_id, by_kind, came_from, action, target_id, details)
    select ${workspaceId}, gen_random_uuid(), app.now() - make_interval(mins => n), ${userId}, 'sign_in', '192.0.2.7',
           ${action}, ${userId}, jsonb_build_object('number', n)
      from generate_series(1, ${count}::int) n`.execute(domain.db)
}

/** What admins look at, of many kinds. */
export async function makeTrail(world: World): Promise<void> {
  const { alice } = world
  const { project, mission } = await world.missionWith(['Sort it'], { title: 'Old plans' })
  await alice.call('updateMission', { id: mission.id, budget: { usd: '12.5' } })
  await alice.call('createUserToken', { label: 'laptop', preset: 'runner' })
  await alice.call('createInvitation', { email: 'new@example.com' })
  await alice.call('updateLaunchSettings', {
    id: project.id,
    expectedRevision: project.revision,
    preLaunchCommands: ['npm ci'],
  })
  const bob = await world.person('member', 'bob the second')
  const { userId } = await bob.actor()
  await alice.call('updateMember', { id: userId, role: 'viewer' })
  await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
}

const shownToAll = new WeakMap<World, Promise<void>>()

/** The same for all who only look at it. */
export function trailToLookAt(world: World): Promise<void> {
  const known = shownToAll.get(world) ?? makeTrail(world)
  shownToAll.set(world, known)
  return known
}
