import { Role } from '@svc/contracts/permissions'
import type { RouteRequest } from '@svc/contracts/rest'
import { signedIn } from '@svc/domain/testing/signed-in'
import type { Receiver } from '@svc/testing/receiver'
import { tokenFromOAuth } from '@svc/domain/testing/granted'
import type { World } from '@svc/domain/testing/world'
import { sql } from 'kysely'
import { bearer } from './ask.ts'
import { type Scene, type Subject, setScene } from './scene.ts'

/** Who calls, and about whose things. */
export interface Caller {
  group: string
  /** Above its column. */
  head: string
  name: string
  /** Headers that say who it is. A browser signs in for the first request, and again where a row says so. */
  credentials: (options?: { anew: boolean }) => Promise<Record<string, string>>
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

/** Each role with each kind of token and with a browser; then an admin's tokens that are bound, and who is elsewhere or out. */
export async function meetCallers(
  world: World,
  { receiver, url }: { receiver: Receiver; url: string },
): Promise<Caller[]> {
  const outs = await meetOuts(world)
  const members: Caller[] = []
  for (const role of Role.options) {
    const scene = await setScene(world, receiver, role)
    for (const { order, ...kind } of kinds) {
      const { token } = await scene.person.withToken(order)
      members.push({ group: role, ...kind, credentials: by(token), scene })
    }
    const token = await tokenFromOAuth(world.domain, await scene.person.actor())
    members.push({
      group: role,
      head: 'app',
      name: 'of an application',
      credentials: by(token),
      scene,
    })
    members.push({ group: role, ...browser, credentials: signingIn(scene, url), scene })
  }
  const scene = await setScene(world, receiver, 'admin')
  return [
    ...members,
    ...(await boundCallers(scene)),
    ...outs.map((out) => ({ group: 'out', ...out, scene })),
  ]
}

const browser = { head: 'cook', name: 'a browser that is signed in' }

function by(token: string | undefined): Caller['credentials'] {
  return () => Promise.resolve(bearer(token))
}

function signingIn({ person, world }: Scene, baseUrl: string): Caller['credentials'] {
  const signIn = async () => {
    const { userId, workspaceId } = await person.actor()
    return signedIn(world.domain, { userId, baseUrl, workspace: workspaceId })
  }
  let known: ReturnType<typeof signIn> | undefined
  return ({ anew } = { anew: false }) => {
    if (anew) known = undefined
    known ??= signIn()
    return known
  }
}

/** Callers with tokens of an admin, each bound to a part of the workspace. */
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
      return { group: 'bound', head, name, credentials: by(token), scene, bind }
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
    { head: 'else', name: 'admin of another workspace', credentials: by(world.carla.token) },
    { head: 'rev', name: 'revoked', credentials: by(revoked.token) },
    { head: 'exp', name: 'expired', credentials: by(expired.token) },
    { head: 'rem', name: 'of a member who was removed', credentials: by(removed.token) },
    { head: 'dis', name: 'of somebody who was disabled', credentials: by(disabled.token) },
    { head: 'anon', name: 'no token', credentials: by(undefined) },
  ]
}
