import type { World } from '@svc/domain/testing/open-world'
import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { signedIn } from '@svc/domain/testing/signed-in'

/** Who is in a workspace, and by what, as its page is best looked at. */
export interface ShownAccess {
  /** Who may be removed: they hold something of each kind. */
  member: { id: string; name: string }
  /** Their runner says that it is there: of one that was silent for a minute nothing stops. */
  hearRunner: () => Promise<unknown>
}

const shownToAll = new WeakMap<World, Promise<ShownAccess>>()

/** The same for all who only look at it. */
export async function accessToLookAt(world: World): Promise<ShownAccess> {
  const known = shownToAll.get(world) ?? makeAccess(world)
  shownToAll.set(world, known)
  const shown = await known
  await shown.hearRunner()
  return shown
}

async function makeAccess(world: World): Promise<ShownAccess> {
  const { alice, domain } = world
  const gina = await world.person('admin', 'gina')
  const project = await world.projectWith()
  const runner = await world.connectedRunner(project, { owner: gina, label: 'lap-gina' })
  await gina.call('createInvitation', { email: 'intern@example.com', role: 'viewer' })
  await tokenFromOAuth(domain, await gina.actor())
  await alice.call('createInvitation', { email: 'new@example.com' })
  await tokenFromOAuth(domain, await alice.actor())
  await alice.call('createUserToken', { label: 'laptop', preset: 'full' })
  await alice.call('createUserToken', {
    label: 'build machine',
    permissions: ['mission:read', 'webhook:read'],
    projectIds: [project.id],
    expiresInDays: 5,
  })
  const { userToken } = await alice.call('createUserToken', { label: 'old box', preset: 'runner' })
  await alice.call('revokeUserToken', { id: userToken.id })
  const { userId } = await alice.actor()
  await signedIn(domain, {
    userId,
    baseUrl: 'http://127.0.0.1:1',
    browser:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
    from: '198.51.100.4',
  })
  return { member: { id: gina.userId, name: 'gina' }, hearRunner: () => runner.claim() }
}
