import { Role } from '@svc/contracts/permissions'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Receiver } from '@svc/testing/receiver'
import { tokenFromOAuth } from '@svc/testing/granted'
import type { World } from '@svc/testing/world'
import { sql } from 'kysely'
import { type Scene, type Subject, setScene } from './scene.ts'

/** Who calls, and about whose things. */
export interface Caller {
  group: string
  /** Above its column. */
  head: string
  name: string
  token: string | undefined
  scene: Scene
  /** Before it is asked: a token that is bound is bound to what it is asked about. */
  bind?: (subject: Subject) => Promise<void>
}

interface Kind {
  head: string
  name: string
  order: Omit<RouteRequest<'createUserToken'>, 'label'>
}

const kinds: readonly Kind[] = [
  { head: 'full', name: 'preset full', order: { preset: 'full' } },
  { head: 'life', name: 'mission_lifecycle', order: { preset: 'mission_lifecycle' } },
  { head: 'run', name: 'runner', order: { preset: 'runner' } },
  { head: 'read', name: 'read_only', order: { preset: 'read_only' } },
  { head: 'hook', name: 'webhook_consumer', order: { preset: 'webhook_consumer' } },
  { head: 'none', name: 'scoped to nothing', order: { permissions: [] } },
]

/** Each role with each kind of token; then an admin's tokens that are bound, and who is elsewhere or out. */
export async function meetCallers(world: World, receiver: Receiver): Promise<Caller[]> {
  const outs = await meetOuts(world)
  const members: Caller[] = []
  for (const role of Role.options) {
    const scene = await setScene(world, receiver, role)
    for (const { order, ...kind } of kinds) {
      const { token } = await scene.person.withToken(order)
      members.push({ group: role, ...kind, token, scene })
    }
    const token = await tokenFromOAuth(world.domain, await scene.person.actor())
    members.push({ group: role, head: 'app', name: 'of an application', token, scene })
  }
  const scene = await setScene(world, receiver, 'admin')
  return [
    ...members,
    ...(await boundCallers(scene)),
    ...outs.map((out) => ({ group: 'out', ...out, scene })),
  ]
}

/** Of an admin, each good for a part of what there is. */
async function boundCallers(scene: Scene): Promise<Caller[]> {
  const { person, world } = scene
  const { project, mission } = await world.missionWith(['elsewhere'])
  const [elsewhere] = mission.objectives
  const bindings: readonly [head: string, name: string, columns: (subject: Subject) => object][] = [
    ['proj', 'bound to its project', ({ projectId }) => ({ project_ids: [projectId] })],
    ['-prj', 'bound to another project', () => ({ project_ids: [project.id] })],
    ['obj', 'bound to its objective', ({ objectiveId }) => ({ objective_id: objectiveId })],
    ['-obj', 'bound to an objective elsewhere', () => ({ objective_id: elsewhere.id })],
  ]
  return Promise.all(
    bindings.map(async ([head, name, columns]): Promise<Caller> => {
      const { token, actor } = await person.withPreset('full')
      const { id } = (await actor()).credential
      const bind = async (subject: Subject) => {
        const { db } = world.domain
        await db.updateTable('user_tokens').set(columns(subject)).where('id', '=', id).execute()
      }
      return { group: 'bound', head, name, token, scene, bind }
    }),
  )
}

/** Each had, or has elsewhere, a token that allows everything. */
async function meetOuts(world: World) {
  const { db } = world.domain
  const revoked = await (await world.person('owner')).withPreset('full')
  await revoked.call('revokeUserToken', { id: (await revoked.actor()).credential.id })
  const owner = await world.person('owner')
  const expired = await owner.withToken({ preset: 'full', expiresInDays: 1 })
  await world.advance(24 * 60 * 60)
  const removed = await world.person('owner')
  await sql`delete from memberships where user_id = ${removed.userId}`.execute(db)
  const disabled = await world.person('owner')
  await sql`update users set disabled_at = app.now() where id = ${disabled.userId}`.execute(db)
  return [
    { head: 'else', name: 'admin of another workspace', token: world.carla.token },
    { head: 'rev', name: 'revoked', token: revoked.token },
    { head: 'exp', name: 'expired', token: expired.token },
    { head: 'rem', name: 'of a member who was removed', token: removed.token },
    { head: 'dis', name: 'of somebody who was disabled', token: disabled.token },
    { head: 'anon', name: 'no token', token: undefined },
  ]
}
