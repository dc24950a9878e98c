import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { signedIn } from '@svc/domain/testing/signed-in'
import { sql } from 'kysely'
import type { Hands } from './hands.ts'
import type { Place, Proof } from './keyboard-places.ts'

async function atMember({ world, open }: Place, hands: Hands, what: RegExp): Promise<void> {
  const { name } = await sayName(world.person('member'))
  await open('/access', name)
  await hands.do(`What to do with ${name}`)
  await hands.pick(what)
}

/** Who the person is to others. */
async function sayName(made: ReturnType<Place['world']['person']>) {
  const { user } = await (await made).call('getMe', {})
  return user
}

export async function invited(place: Place): Promise<string> {
  const email = `invited${Date.now()}@example.com`
  await place.world.alice.call('createInvitation', { email })
  await place.open('/access?tab=invitations', email)
  return email
}

async function atNewToken(place: Place, hands: Hands): Promise<void> {
  await place.open('/access?tab=tokens', 'New token')
  await hands.press('c')
  await hands.seesDialog('New token')
  await hands.sees('For an agent or a program')
}

async function keepSecret(hands: Hands): Promise<void> {
  await hands.seesDialog(/shown this once$/)
  await hands.do('I have kept it')
}

/** On the page of who may come in, and by what. */
export const accessProofs: Readonly<Record<string, Proof>> = {
  'features/access createInvitation': async (place, hands) => {
    await place.open('/access', 'Invite somebody')
    await hands.press('c')
    await hands.seesDialog('Invite somebody')
    await hands.type('by.keys@example.com')
    await hands.do('Make the link')
    await keepSecret(hands)
  },
  'features/access createResetLink': async (place, hands) => {
    await atMember(place, hands, /^Link to reset/)
    await hands.seesDialog(/^Reset the account of /)
    await hands.do('Make the link')
    await keepSecret(hands)
  },
  'features/access createUserToken': async (place, hands) => {
    await atNewToken(place, hands)
    await hands.to('What it is for')
    await hands.type('by keys')
    await hands.do('Create')
    await keepSecret(hands)
    await hands.sees('by keys')
  },
  'features/access createWorkspace': async (place, hands) => {
    await place.open('/access?tab=workspace', 'New workspace')
    await hands.press('c')
    await hands.seesDialog('New workspace')
    await hands.type('By keys')
    await hands.do('Create')
    await hands.sees('By keys')
    // a page that has just been opened begins at its top
    await hands.press('Tab')
  },
  'features/access endConnectedApplication': async (place, hands) => {
    const { alice, domain } = place.world
    await tokenFromOAuth(domain, await alice.actor(), 'A client')
    await place.open('/access?tab=applications', 'A client')
    await hands.do('Disconnect A client')
    await hands.do('Disconnect it')
    await hands.sees('A client is disconnected')
  },
  'features/access endSignIn': async (place, hands) => {
    const { alice, domain } = place.world
    const { userId } = await alice.actor()
    const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 OPR/120.0'
    await signedIn(domain, { userId, baseUrl: 'http://127.0.0.1:1', browser })
    await place.open('/access?tab=sign-ins', 'Opera on Linux')
    await hands.do('Sign out Opera on Linux')
    await hands.do('Sign it out')
    await hands.sees('Opera on Linux is signed out')
  },
  'features/access endSignIns': async (place, hands) => {
    await place.open('/access?tab=sign-ins', 'Sign out everywhere')
    await hands.do(/^Sign out everywhere/)
    await hands.seesDialog('Sign out everywhere')
    await hands.do(/sign out everywhere$/i)
    await hands.sees('E-mail address')
  },
  'features/access leaveWorkspace': async (place, hands) => {
    const { alice, domain, workspaceId } = place.world
    const { userId } = await alice.actor()
    await place.open('/access', 'alice@example.com')
    await hands.do('What to do with alice')
    await hands.pick(/^Leave the workspace/)
    await hands.seesDialog(/^Leave /)
    await hands.do('Leave the workspace')
    await hands.sees(/workspace yet$|By keys/)
    await hands.press('Tab')
    // the next proofs are hers, too
    await sql`insert into memberships values (${workspaceId}, ${userId}, 'admin')`.execute(
      domain.db,
    )
    await sql`update user_tokens set revoked_at = null
               where user_id = ${userId} and revoked_reason = 'membership'`.execute(domain.db)
  },
  'features/access removeMember': async (place, hands) => {
    await atMember(place, hands, /^Remove/)
    await hands.seesDialog(/^Remove /)
    await hands.do('Remove from the workspace')
    await hands.sees(/ is removed$/)
  },
  'features/access revokeInvitation': async (place, hands) => {
    const email = await invited(place)
    await hands.do(`Revoke the invitation of ${email}`)
    await hands.do('Revoke it')
    await hands.sees(`The invitation of ${email} is revoked`)
  },
  'features/access revokeUserToken': async (place, hands) => {
    await place.world.alice.call('createUserToken', { label: 'to revoke', preset: 'read_only' })
    await place.open('/access?tab=tokens', 'to revoke')
    await hands.do('Revoke to revoke')
    await hands.do('Revoke it')
    await hands.sees('to revoke is revoked')
  },
  'features/access revokeWorkspaceToken': async (place, hands) => {
    const { bob } = place.world
    await bob.call('createUserToken', { label: 'of bob', preset: 'read_only' })
    await place.open('/access?tab=all-tokens', 'of bob')
    await hands.do('Revoke of bob')
    await hands.do('Revoke it')
    await hands.sees('of bob is revoked')
  },
  'features/access updateMember': async (place, hands) => {
    await atMember(place, hands, /^Change the role/)
    await hands.seesDialog(/^The role of /)
    await hands.press('ArrowDown')
    await hands.do('Change the role')
    await hands.sees(/ is viewer now$/)
  },
  'features/access updateWorkspace': async (place, hands) => {
    await place.open('/access?tab=workspace', 'A token lives at most')
    await hands.do('Edit')
    await hands.seesDialog('Edit the workspace')
    await hands.press('Control+A')
    await hands.type('Renamed by keys')
    await hands.do('Save')
    await hands.sees('Saved')
  },
}
