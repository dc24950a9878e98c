import { type Role, presetPermissions, rolePermissions } from '@svc/contracts/permissions'
import { outcomeOf } from '../testing/operations.ts'
import { enrol } from '../testing/enrol.ts'
import { type Person, personWith } from '../testing/people.ts'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect, vi } from 'vitest'
import { authenticate } from '../access/authenticate.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { channels } from '../jobs/wake-hub.ts'
import type { Domain } from '../domain.ts'
import { countSleeping } from '../execution-requests/claim-waiters.ts'
import { openFeed } from '../feed/read-feed.ts'
import { authenticateMember, authenticatePerson } from '../people/access/authenticate.ts'
import { endSignIns, startSignIn } from '../people/sign-ins.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { ensureWorkspace, issueToken } from '../workspaces/set-up/set-up.ts'

type Known = Person & { userId: string }

describe('a role', () => {
  test(
    'that is changed is that of the next call, whatever the caller came by',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, domain } = world
      const bob = await world.person('member')
      const secret = await signedIn(world, bob)
      const minted = await bob.withPreset('full')
      await alice.call('updateMember', { id: bob.userId, role: 'viewer' })
      const now = await Promise.all([
        minted.actor(),
        authenticate(domain, minted.token, 'mcp'),
        authenticateMember(domain, secret, 'here'),
      ])
      expect(now.map(({ role }) => role)).toEqual(['viewer', 'viewer', 'viewer'])
      await expect(minted.call('createProject', { name: 'x' })).rejects.toMatchObject({
        code: 'forbidden',
      })
      const { members } = await bob.call('listMembers', {})
      expect(members).toContainEqual(expect.objectContaining({ id: bob.userId, role: 'viewer' }))
    },
  )

  test('of an owner is given and taken by owners alone', async ({ world }) => {
    const [owner, other, admin, member] = await Promise.all([
      world.person('owner'),
      world.person('owner'),
      world.person('admin'),
      world.person('member'),
    ])
    expect(
      await codesOf([
        admin.call('updateMember', { id: owner.userId, role: 'member' }),
        admin.call('updateMember', { id: member.userId, role: 'owner' }),
        admin.call('updateMember', { id: admin.userId, role: 'owner' }),
        admin.call('removeMember', { id: owner.userId }),
        admin.call('createResetLink', { id: owner.userId }),
        admin.call('createInvitation', { email: 'boss@example.com', role: 'owner' }),
      ]),
    ).toEqual(Array(6).fill('forbidden'))
    await owner.call('updateMember', { id: member.userId, role: 'owner' })
    await owner.call('updateMember', { id: other.userId, role: 'member' })
    expect((await other.actor()).role).toBe('member')
  })

  test('is given by a token that may do all of it alone, whoever made that token', async ({
    world,
  }) => {
    const [admin, member, viewer] = await Promise.all([
      world.person('admin'),
      world.person('member'),
      world.person('viewer'),
    ])
    const own = ['member:invite', 'member:update'] as const
    const bare = await admin.withToken({ permissions: [...own] })
    const some = await admin.withToken({ permissions: [...own, ...rolePermissions.viewer] })
    const invite = (by: Person, role: Role) =>
      by.call('createInvitation', { email: `${role}@elsewhere.example`, role })
    expect(
      await codesOf([
        invite(bare, 'viewer'),
        invite(some, 'member'),
        invite(some, 'admin'),
        some.call('updateMember', { id: viewer.userId, role: 'member' }),
        some.call('updateMember', { id: member.userId, role: 'admin' }),
      ]),
    ).toEqual(Array(5).fill('forbidden'))
    await expect(invite(some, 'member')).rejects.toMatchObject({
      details: { permission: expect.stringMatching(/:/) },
    })
    expect(await invite(some, 'viewer')).toMatchObject({ invitation: { role: 'viewer' } })
    await bare.call('updateMember', { id: member.userId, role: 'viewer' })
    expect((await member.actor()).role).toBe('viewer')
    expect(await invite(await admin.withPreset('full'), 'admin')).toMatchObject({
      invitation: { role: 'admin' },
    })
  })

  test('is judged by that of whoever changes it at that moment, not as they called', async ({
    world,
  }) => {
    const [one, other] = [await world.person('admin'), await world.person('admin')]
    const demote = (by: Known, id: string) =>
      outcomeOf(by.call('updateMember', { id, role: 'member' }))
    const outcomes = await Promise.all([demote(one, other.userId), demote(other, one.userId)])
    expect(outcomes.flatMap(({ refusal }) => refusal?.code ?? [])).toEqual(['forbidden'])
  })

  test.for(['updateMember', 'removeMember', 'leaveWorkspace'] as const)(
    'of owner is kept by one of 16 who give it up at once: %s',
    { tags: 'large' },
    async (operation, { world }) => {
      const slug = `owned-${operation.toLowerCase()}`
      const owners = await ownersOf(world, slug, 16)
      const giveUp = ({ call, userId: id }: Known) => {
        if (operation === 'updateMember') return call(operation, { id, role: 'member' })
        return operation === 'removeMember'
          ? call(operation, { id })
          : call(operation, { workspace: slug })
      }
      const outcomes = await Promise.all(owners.map((one) => outcomeOf(giveUp(one))))
      const refused = outcomes.flatMap(({ refusal }) => refusal?.code ?? [])
      expect(refused).toEqual(['last_owner'])
      const { rows } = await sql`
        select from memberships m join workspaces w on w.id = m.workspace_id
         where w.slug = ${slug} and m.role = 'owner'`.execute(world.domain.db)
      expect(rows).toHaveLength(1)
    },
  )
})

describe('whoever is removed', () => {
  test('is out at once: tokens, what these minted, applications, browsers, and nowhere else', async ({
    world,
  }) => {
    const { alice, domain } = world
    const bob = await world.person('member')
    const child = await (await bob.withPreset('full')).withPreset('runner')
    const application = await bob.withPreset('mission_lifecycle')
    await sql`update user_tokens set kind = 'oauth' where id = ${(await application.actor()).credential.id}`.execute(
      domain.db,
    )
    const secret = await signedIn(world, bob)
    const elsewhere = await memberElsewhere(world, bob)

    await alice.call('removeMember', { id: bob.userId })
    for (const { token } of [bob, child, application]) {
      for (const audience of ['api', 'mcp'] as const) {
        const asked = authenticate(domain, token, audience)
        await expect(asked).rejects.toMatchObject({ code: 'unauthenticated' })
      }
    }
    const there = authenticateMember(domain, secret, 'here')
    await expect(there).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(authenticateMember(domain, secret, elsewhere.slug)).resolves.toBeDefined()
    await expect(elsewhere.person.call('getMe', {})).resolves.toMatchObject({ role: 'viewer' })
    await expect(alice.call('removeMember', { id: bob.userId })).rejects.toMatchObject({
      code: 'not_found',
    })
    // back again, nothing that was revoked is good
    const { workspaceId } = world
    await sql`
      insert into memberships values (${workspaceId}, ${bob.userId}, 'viewer')`.execute(domain.db)
    await expect(child.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('keeps nothing that was minted meanwhile', { tags: 'large' }, async ({ world }) => {
    for (let round = 0; round < 5; round += 1) {
      const bob = await world.person('member')
      const minting = Array.from({ length: 6 }, () => bob.withPreset('read_only'))
      const [, ...minted] = await Promise.allSettled([
        world.alice.call('removeMember', { id: bob.userId }),
        ...minting,
      ])
      const { rows } = await sql`
        select from user_tokens where user_id = ${bob.userId} and revoked_at is null`.execute(
        world.domain.db,
      )
      expect([minted.length, rows]).toEqual([6, []])
    }
  })

  test(
    'is told nothing more by a feed that is open in another process',
    { tags: 'large' },
    async ({ world }) => {
      await using process = await world.openProcess()
      await hears(process, world.domain)
      const byToken = async (bob: Known) => (await bob.withPreset('read_only')).actor()
      const byBrowser = async (bob: Known) =>
        authenticateMember(world.domain, await signedIn(world, bob), 'here')
      const remove = ({ userId: id }: Known) => world.alice.call('removeMember', { id })
      const losses: [
        (one: Known) => Promise<Actor>,
        (one: Known, at: Actor) => Promise<unknown>,
      ][] = [
        [byToken, remove],
        [byBrowser, remove],
        [byToken, ({ call }) => call('leaveWorkspace', { workspace: 'here' })],
        [byToken, (_, { credential: { id } }) => world.alice.call('revokeWorkspaceToken', { id })],
        [byBrowser, ({ userId }) => inTransaction(world, (tx) => endSignIns(tx, userId))],
      ]
      // the look that is due every 15 s never comes
      vi.useFakeTimers({ toFake: ['performance'] })
      try {
        for (const [by, lose] of losses) {
          const bob = await world.person('member')
          const actor = await by(bob)
          const feed = await openFeed({ domain: process }, actor, {})
          await feed.next()
          const next = feed.next()
          await lose(bob, actor)
          expect(await next).toEqual({ done: true, value: undefined })
        }
      } finally {
        vi.useRealTimers()
      }
    },
  )

  test('is given no run that their runner waits for', { tags: 'large' }, async ({ world }) => {
    const bob = await world.person('member')
    const { mission, project } = await world.missionWith(['one'])
    const runner = await world.connectedRunner(project, { owner: bob })
    const waiting = outcomeOf(runner.claim({ waitSeconds: 20 }))
    await expect.poll(() => countSleeping(world.domain)).toBe(1)
    await world.alice.call('removeMember', { id: bob.userId })
    await world.alice.launch(mission.objectives[0])
    expect(await waiting).toMatchObject({ refusal: { code: 'unauthenticated' } })
    const [request] = await world.alice.requestsOf(mission)
    expect(request?.status).toBe('queued')
  })

  test('is told no answer that their agent waits for', { tags: 'large' }, async ({ world }) => {
    const bob = await world.person('member')
    const { mission, project } = await world.missionWith(['one'])
    const runner = await world.connectedRunner(project, { owner: bob })
    const { agent } = await world.attachedRun(mission.objectives[0], runner)
    const waiting = outcomeOf(agent.ask({ waitSeconds: 20 }))
    await expect.poll(() => world.alice.questionsOf(mission)).toHaveLength(1)
    const [question] = await world.alice.questionsOf(mission)
    await world.alice.call('removeMember', { id: bob.userId })
    await world.alice.answer(question?.id ?? '')
    expect(await waiting).toMatchObject({ refusal: { code: 'unauthenticated' } })
    expect(await world.alice.questionsOf(mission)).toMatchObject([{ status: 'answered' }])
  })

  test('invites nobody any more', async ({ world }) => {
    const admin = await world.person('admin')
    const { invitation } = await admin.call('createInvitation', { email: 'new@example.com' })
    await world.alice.call('removeMember', { id: admin.userId })
    const { invitations } = await world.alice.call('listInvitations', {})
    expect(invitations.map(({ id }) => id)).not.toContain(invitation.id)
  })

  test('does not come back by an invitation from before they joined', async ({ world }) => {
    const email = 'Comes.Back@Example.com'
    const { link } = await world.alice.call('createInvitation', { email })
    const bob = await world.person('member')
    await sql`update users set email = ${email.toLowerCase()} where id = ${bob.userId}`.execute(
      world.domain.db,
    )
    const back = await authenticatePerson(world.domain, await signedIn(world, bob))
    await world.alice.call('removeMember', { id: bob.userId })
    const secret = new URL(link).searchParams.get('token') ?? ''
    await expect(acceptInvitation(world, back, secret)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a workspace is left', () => {
  test('by whoever names it, with a token of full scope that is bound to nothing', async ({
    world,
  }) => {
    const bob = await world.person('viewer')
    const project = await world.projectWith()
    const bound = await bob.withToken({ preset: 'full', projectIds: [project.id] })
    const narrow = await bob.withToken({ permissions: presetPermissions.full.slice(0, 5) })
    for (const one of [bound, narrow]) {
      const leaving = one.call('leaveWorkspace', { workspace: 'here' })
      await expect(leaving).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(bob.call('leaveWorkspace', { workspace: 'elsewhere' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await bob.call('leaveWorkspace', { workspace: 'here' })
    await expect(bob.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
    const { entries } = await world.alice.call('listAudit', { action: 'member.left', limit: 1 })
    expect(entries).toMatchObject([{ actor: { id: bob.userId }, targetId: bob.userId }])
  })
})

describe('an admin', () => {
  test('sees and ends the tokens of everybody, and a member does not', async ({ world }) => {
    const { alice } = world
    const bob = await world.person('member')
    const { credential } = await bob.actor()
    const { userTokens } = await alice.call('listWorkspaceTokens', { limit: 5 })
    const listed = userTokens.find(({ id }) => id === credential.id)
    expect(listed).toMatchObject({ kind: 'minted', person: { id: bob.userId } })
    expect(JSON.stringify(userTokens)).not.toContain(bob.token)
    const hers = (await alice.actor()).credential.id
    expect(
      await codesOf([
        bob.call('listWorkspaceTokens', {}),
        bob.call('revokeWorkspaceToken', { id: hers }),
        world.carla.call('revokeWorkspaceToken', { id: credential.id }),
      ]),
    ).toEqual(['forbidden', 'forbidden', 'not_found'])
    await alice.call('revokeWorkspaceToken', { id: credential.id })
    await alice.call('revokeWorkspaceToken', { id: credential.id })
    await expect(bob.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
    const { entries } = await alice.call('listAudit', { action: 'token.revoked', limit: 1 })
    expect(entries).toMatchObject([{ targetId: credential.id, details: { userId: bob.userId } }])
  })

  test('makes no link to reset the password of somebody who is also elsewhere', async ({
    world,
  }) => {
    const { alice } = world
    const bob = await world.person('member')
    const { link } = await alice.call('createResetLink', { id: bob.userId })
    expect(link).toMatch(/\/reset\?token=[\w-]{43}$/)
    await memberElsewhere(world, bob)
    await expect(alice.call('createResetLink', { id: bob.userId })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('svc-admin reset-link'),
    })
  })

  test('makes no link to reset a password, their own neither, with a token of less than all', async ({
    world,
  }) => {
    const admin = await world.person('admin')
    const { userId } = await world.person('member')
    const narrow = await admin.withToken({ permissions: ['member:update', 'member:read'] })
    for (const id of [admin.userId, userId]) {
      const making = narrow.call('createResetLink', { id })
      await expect(making).rejects.toMatchObject({ code: 'forbidden', details: { scope: 'full' } })
    }
  })

  test('says how long a token lives, and what is minted from then on obeys', async ({ world }) => {
    const { carla } = world
    const { credential: before } = await carla.actor()
    const { workspace } = await carla.call('updateWorkspace', { maxTokenDays: 10, name: 'There' })
    expect(workspace).toMatchObject({ slug: 'elsewhere', name: 'There', maxTokenDays: 10 })
    expect(await carla.call('getWorkspace', {})).toEqual({ workspace })
    const { userToken } = await carla.call('createUserToken', { label: 'x', preset: 'read_only' })
    const days = (Date.parse(userToken.expiresAt) - Date.parse(userToken.createdAt)) / 86_400_000
    expect(days).toBe(10)
    expect((await carla.actor()).credential.expiresAt).toEqual(before.expiresAt)
    const { entries } = await carla.call('listAudit', { action: 'workspace.changed' })
    expect(entries).toMatchObject([{ details: { from: { maxTokenDays: 366 }, to: workspace } }])
  })

  test('overwrites nothing that another one has changed of the workspace meanwhile', async ({
    world,
  }) => {
    const { carla } = world
    const { workspace } = await carla.call('getWorkspace', {})
    const expectedRevision = workspace.revision
    await carla.call('updateWorkspace', { name: 'Theirs', expectedRevision })
    await expect(
      carla.call('updateWorkspace', { name: 'Mine', expectedRevision }),
    ).rejects.toMatchObject({
      code: 'revision_mismatch',
      details: {
        currentRevision: expectedRevision + 1,
        current: { workspace: { name: 'Theirs' } },
      },
    })
    // what changes nothing is no change
    const same = await carla.call('updateWorkspace', { name: 'Theirs' })
    expect(same.workspace.revision).toBe(expectedRevision + 1)
  })
})

describe('what ends with a membership', () => {
  test(
    'is shown before: tokens, applications, runners with their runs, invitations, of this workspace alone',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, domain } = world
      const bob = await world.person('admin')
      const application = await bob.withPreset('mission_lifecycle')
      await sql`update user_tokens set kind = 'oauth', label = 'A chat client'
               where id = ${(await application.actor()).credential.id}`.execute(domain.db)
      await memberElsewhere(world, bob)
      const { project, mission } = await world.missionWith(['one'])
      const runner = await world.connectedRunner(project, { owner: bob, label: 'lap-bob' })
      await world.attachedRun(mission.objectives[0], runner)
      await bob.call('createInvitation', { email: 'new@example.com', role: 'viewer' })
      const { ends } = await alice.call('getMemberAccess', { id: bob.userId })
      expect(ends).toMatchObject({
        applications: { newest: [{ label: 'A chat client' }], more: false },
        runners: { newest: [{ label: 'lap-bob' }] },
        runs: { newest: [{ objective: mission.objectives[0].displayId, runner: 'lap-bob' }] },
        invitations: { newest: [{ email: 'new@example.com', role: 'viewer' }] },
      })
      const workspaces = ends.tokens.newest.map(({ workspace }) => workspace)
      expect(new Set(workspaces)).toEqual(new Set(['here']))
      expect(JSON.stringify(ends)).not.toContain(bob.token)

      await alice.call('removeMember', { id: bob.userId })
      await expect(alice.call('getMemberAccess', { id: bob.userId })).rejects.toMatchObject({
        code: 'not_found',
      })
    },
  )

  test('is shown to oneself, and of others to those who may remove them', async ({ world }) => {
    const [member, viewer] = [await world.person('member'), await world.person('viewer')]
    expect(
      await codesOf([
        member.call('getMemberAccess', { id: viewer.userId }),
        world.carla.call('getMemberAccess', { id: viewer.userId }),
      ]),
    ).toEqual(['forbidden', 'not_found'])
    const { ends } = await viewer.call('getMemberAccess', { id: viewer.userId })
    expect(ends).toMatchObject({ tokens: { newest: [{}] }, runs: { newest: [], more: false } })
  })
})

test('an invitation is accepted by nobody but whom it is for, and only while its inviter may give that role', async ({
  world,
}) => {
  const { domain, carla } = world
  const [owner, admin] = [await world.person('owner'), await world.person('admin')]
  const order = { email: 'CARLA@example.com', role: 'admin' } as const
  const { link } = await admin.call('createInvitation', order)
  const secret = new URL(link).searchParams.get('token') ?? ''
  const personOf = async (one: Known) => authenticatePerson(domain, await signedIn(world, one))
  const accept = async (one: Known) =>
    outcomeOf(acceptInvitation({ domain }, await personOf(one), secret))
  const there = { ...carla, userId: (await carla.actor()).userId }
  expect(await accept(owner)).toMatchObject({ refusal: { code: 'forbidden' } })
  await owner.call('updateMember', { id: admin.userId, role: 'viewer' })
  expect(await accept(there)).toMatchObject({ refusal: { code: 'not_found' } })
  await owner.call('updateMember', { id: admin.userId, role: 'admin' })
  expect(await accept(there)).toMatchObject({ answer: { workspace: { slug: 'here' } } })
  const { members } = await owner.call('listMembers', { limit: 200 })
  expect(members).toContainEqual(
    expect.objectContaining({ email: 'carla@example.com', role: 'admin' }),
  )
})

test('what an admin does with members and the workspace is told by the audit trail, each once', async ({
  world,
}) => {
  const { alice } = world
  const { userId: id } = await world.person('viewer')
  const email = 'told@example.com'
  const { invitation, link } = await alice.call('createInvitation', { email, role: 'viewer' })
  await alice.call('revokeInvitation', { id: invitation.id })
  await alice.call('updateMember', { id, role: 'member' })
  await alice.call('updateMember', { id, role: 'member' })
  const reset = await alice.call('createResetLink', { id })
  await alice.call('updateWorkspace', { name: 'Still here' })
  await alice.call('updateWorkspace', { name: 'Still here' })
  await alice.call('removeMember', { id })
  const { entries } = await alice.call('listAudit', { limit: 6 })
  expect(entries.toReversed()).toMatchObject([
    { action: 'member.invited', details: { name: email, role: 'viewer' } },
    { action: 'member.invitation_revoked', targetId: invitation.id },
    { action: 'member.role_changed', targetId: id, details: { from: 'viewer', to: 'member' } },
    { action: 'password.reset_link_made', targetId: id },
    { action: 'workspace.changed', details: { to: { name: 'Still here' } } },
    { action: 'member.removed', targetId: id, details: { role: 'member' } },
  ])
  const text = JSON.stringify(entries)
  for (const one of [link, reset.link]) {
    expect(text).not.toContain(new URL(one).searchParams.get('token'))
  }
})

test('a person sees and ends the applications that they connected, and nobody else’s', async ({
  world,
}) => {
  const { alice, bob, domain } = world
  const application = await bob.withPreset('mission_lifecycle')
  const { id } = (await application.actor()).credential
  await sql`update user_tokens set kind = 'oauth' where id = ${id}`.execute(domain.db)
  const { connectedApplications } = await bob.call('listConnectedApplications', {})
  expect(connectedApplications).toMatchObject([{ id, preset: 'mission_lifecycle' }])
  const { userTokens } = await bob.call('listUserTokens', { limit: 200 })
  expect(userTokens.map((one) => one.id)).not.toContain(id)
  expect(await alice.call('listConnectedApplications', {})).toEqual({ connectedApplications: [] })
  const minted = (await bob.actor()).credential.id
  expect(
    await codesOf([
      alice.call('endConnectedApplication', { id }),
      bob.call('endConnectedApplication', { id: minted }),
    ]),
  ).toEqual(['not_found', 'not_found'])
  await bob.call('endConnectedApplication', { id })
  await expect(application.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await bob.call('listConnectedApplications', {})).toEqual({ connectedApplications: [] })
})

async function codesOf(calls: Promise<unknown>[]): Promise<(string | undefined)[]> {
  const outcomes = await Promise.all(calls.map(outcomeOf))
  return outcomes.map(({ refusal }) => refusal?.code)
}

function signedIn({ domain }: World, { userId }: Known): Promise<string> {
  const order = { userId, browser: 'a test', from: undefined, by: 'a test' }
  return inTransaction({ domain }, async (tx) => (await startSignIn(tx, domain.keys, order)).secret)
}

/** Once a hint of the one arrives at the other. */
async function hears(listener: Domain, notifier: Domain): Promise<void> {
  let heard = 0
  using _hearing = listener.wake.listen(channels.access, () => void (heard += 1))
  const notifyAgain = () => {
    notifier.wake.notify(channels.access)
    return heard
  }
  await expect.poll(notifyAgain).toBeGreaterThan(0)
}

let workspacesMade = 0

/** Where somebody is a viewer, too. */
async function memberElsewhere({ domain }: World, { userId }: Known) {
  workspacesMade += 1
  const slug = `other-${workspacesMade}`
  const workspaceId = await ensureWorkspace(domain, { slug, name: slug })
  await sql`insert into memberships values (${workspaceId}, ${userId}, 'viewer')`.execute(domain.db)
  const order = { workspaceId, userId, label: 'x', preset: 'full', expiresInDays: 1 } as const
  return { slug, person: personWith(domain, await issueToken(domain, order)) }
}

async function ownersOf({ domain }: World, slug: string, count: number): Promise<Known[]> {
  const made = Array.from({ length: count }, async (_, index) =>
    enrol(domain, { workspace: slug, name: `${slug}-${index}`, role: 'owner' }),
  )
  return Promise.all(made)
}
