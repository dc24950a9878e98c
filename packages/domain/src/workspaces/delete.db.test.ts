import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { authenticate } from '../access/authenticate.ts'
import { authenticatePerson, authenticateMember } from '../people/access/authenticate.ts'
import { inTransaction } from '../commit/transaction.ts'
import { endOwnTokens, listHeldAccess } from '../people/access/held-access.ts'
import { startSignIn } from '../people/sign-ins.ts'
import { purgeExpired } from '../sweep/purge-expired.ts'
import { enrol } from '../testing/enrol.ts'
import { furnish } from '../testing/furnished.ts'
import { type Hooked, test } from '../testing/hooked-world.ts'
import { runnerWith } from '../testing/runner.ts'
import { createResetLinkOnServer } from '../members/reset-links.ts'
import { resetAccount } from '../members/reset-password.ts'
import { createWorkspace } from './create.ts'
import { ofWorkspace, purgeWorkspaces } from './purge.ts'
import { restoreWorkspaceOfPerson, restoreWorkspaceOnServer } from './restore.ts'
import { createOwner } from './set-up/create-owner.ts'

let count = 0
const day = 86_400

/** A workspace of its own at work, with an owner, a member, a runner, a run and a webhook. */
async function workspaceOf({ domain, receiver }: Hooked) {
  count += 1
  const workspace = `own-${count}`
  const owner = await enrol(domain, { workspace, name: `owner-of-${workspace}`, role: 'owner' })
  const member = await enrol(domain, { workspace, name: `member-of-${workspace}`, role: 'member' })
  const furnished = await furnish({ domain, receiver }, owner)
  const { name, id } = (await owner.call('getWorkspace', {})).workspace
  return { owner, member, name, id, slug: workspace, ...furnished }
}

/** How many rows of each table are of this workspace; the catalogue's tables, so that a new one is among them. */
async function rowsOf({ domain: { db } }: Hooked, id: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const { name, column } of await tablesOfWorkspaces({ db })) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} where ${sql.ref(column)} = ${id}`.execute(
      db,
    )
    counted[name] = rows[0]?.count ?? 0
  }
  return counted
}

/** Those with a column of a workspace, and those that refer to one. */
async function tablesOfWorkspaces({ db }: Pick<Hooked['domain'], 'db'>) {
  const { rows } = await sql<{ name: string; column: string }>`
    select c.relname as name, a.attname as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
       and (a.attname = 'workspace_id' or c.relname = 'workspaces' and a.attname = 'id'
            or a.attname in ('approved_in', 'made_in') and a.atttypid = 'uuid'::regtype
            or exists (select from pg_constraint f
                        where f.contype = 'f' and f.conrelid = c.oid and a.attnum = f.conkey[1]
                          and f.confrelid = 'workspaces'::regclass))
     order by 1`.execute(db)
  return rows
}

const filled = (counted: Record<string, number>) =>
  Object.fromEntries(Object.entries(counted).filter(([, rows]) => rows > 0))

const unauthenticated = { code: 'unauthenticated' }

describe('a workspace that its owner deletes', { tags: 'large' }, () => {
  test('is deleted by nobody but an owner, and by its name alone', async ({ hooked }) => {
    const { owner, member, name } = await workspaceOf(hooked)
    const { alice } = hooked.world
    for (const person of [member, alice]) {
      await expect(person.call('deleteWorkspace', { name })).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
    const bound = await owner.withPreset('mission_lifecycle')
    await expect(bound.call('deleteWorkspace', { name })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(owner.call('deleteWorkspace', { name: `${name}!` })).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(`is called ${name}; nothing was deleted`) as string,
    })
    expect((await member.call('getWorkspace', {})).workspace.name).toBe(name)
  })

  test('is dead at once for tokens, browsers, runners and agents, and its runs are cancelled', async ({
    hooked,
  }) => {
    const { domain, world } = hooked
    const made = await workspaceOf(hooked)
    const { owner, member, name, id, lease, project } = made
    const runner = runnerWith(domain, owner.token, { projectIds: [project.id] })
    const cookie = await inTransaction({ domain }, (tx) =>
      startSignIn(tx, domain.keys, {
        userId: member.userId,
        browser: 'a browser',
        from: undefined,
        by: 'a test',
      }),
    )
    await authenticateMember(domain, cookie.secret, id)
    const { restorableUntil } = await owner.call('deleteWorkspace', { name })
    expect(await owner.call('deleteWorkspace', { name })).toMatchObject({ restorableUntil })

    await expect(authenticate(domain, member.token, 'api')).rejects.toMatchObject(unauthenticated)
    await expect(authenticateMember(domain, cookie.secret, id)).rejects.toMatchObject(
      unauthenticated,
    )
    // of the person and of no workspace
    await expect(authenticatePerson(domain, cookie.secret)).resolves.toBeDefined()
    for (const refused of [
      () => owner.call('getWorkspace', {}),
      () => owner.call('listMissions', {}),
      () => owner.call('createUserToken', { label: 'more', preset: 'full' }),
      () => runner.claim(),
    ]) {
      await expect(refused()).rejects.toMatchObject({
        code: 'forbidden',
        next: { operation: 'restoreWorkspace' },
      })
    }
    await world.settle()
    await world.advance(domain.seconds.cancel + 1)
    await world.settle()
    const { rows } = await sql`
      select outcome, ended_at is not null as ended from execution_requests where workspace_id = ${id} and id = ${lease.id}`.execute(
      domain.db,
    )
    expect(rows).toEqual([{ outcome: 'cancelled', ended: true }])
  })

  test('sends nothing to its webhooks', async ({ hooked }) => {
    const { owner, name, mission, project } = await workspaceOf(hooked)
    const { statuses } = await owner.call('listProjectStatuses', { id: project.id })
    const other = statuses.find(({ id }) => id !== mission.status.id)
    await owner.call('moveMission', { id: mission.id, statusId: other?.id ?? '' })
    await owner.call('deleteWorkspace', { name })
    const before = hooked.receiver.posts.length
    await hooked.deliverDue()
    expect(hooked.receiver.posts).toHaveLength(before)
  })

  test('is let in by nobody else meanwhile', async ({ hooked }) => {
    const { owner, name, slug } = await workspaceOf(hooked)
    await owner.call('deleteWorkspace', { name })
    const order = {
      workspace: { slug, name },
      person: { email: 'new@example.com', name: 'new' },
      newToken: false,
      tokenDays: 1,
    }
    await expect(createOwner(hooked.domain, order)).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('svc-admin restore-workspace') as string,
    })
  })

  test('has its slug until it is gone, and its owner is told so', async ({ hooked }) => {
    const { owner, member, name, slug } = await workspaceOf(hooked)
    await owner.call('deleteWorkspace', { name })
    const signIn = { id: '', expiresAt: new Date(8.64e15) }
    const refusalFor = ({ userId }: { userId: string }) => {
      const person = { userId, userName: '', email: '', signIn }
      return createWorkspace(hooked, person, { slug, name: 'Another' }).then(
        () => undefined,
        (error: unknown) => error,
      )
    }
    expect(await refusalFor(owner)).toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('Restore it at your account') as string,
    })
    expect(await refusalFor(member)).toMatchObject({
      code: 'already_exists',
      message: expect.not.stringContaining('restore') as string,
    })
  })

  test('is restored by an owner within 30 days, with all that was in it', async ({ hooked }) => {
    const { owner, member, name, id } = await workspaceOf(hooked)
    const before = await rowsOf(hooked, id)
    await owner.call('deleteWorkspace', { name })
    await hooked.world.advance(20 * day)
    expect(await purgeWorkspaces(hooked.domain)).toBe(0)
    await owner.call('restoreWorkspace', {})
    await owner.call('restoreWorkspace', {})
    expect((await member.call('getWorkspace', {})).workspace.name).toBe(name)
    const { entries } = await owner.call('listAudit', { action: 'workspace.restored' })
    expect(entries).toMatchObject([{ actor: { id: owner.userId } }])
    const { memberships, missions, user_tokens } = await rowsOf(hooked, id)
    expect({ memberships, missions, user_tokens }).toEqual({
      memberships: before['memberships'],
      missions: before['missions'],
      user_tokens: before['user_tokens'],
    })
  })

  test('is brought back by no token that its owner has ended meanwhile', async ({ hooked }) => {
    const { owner, member, name, id } = await workspaceOf(hooked)
    await owner.call('deleteWorkspace', { name })
    const signIn = { id: '', expiresAt: new Date(8.64e15) }
    const person = { userId: owner.userId, userName: '', email: '', signIn }
    const listed = await listHeldAccess(hooked.domain.db, owner.userId)
    expect(listed.tokens.newest.length).toBeGreaterThan(0)
    await endOwnTokens(hooked, person)
    await expect(owner.call('restoreWorkspace', {})).rejects.toMatchObject(unauthenticated)
    await restoreWorkspaceOfPerson(hooked, person, { id })
    await expect(owner.call('getWorkspace', {})).rejects.toMatchObject(unauthenticated)
    expect((await member.call('getWorkspace', {})).workspace.name).toBe(name)
  })

  test('is not come by through an account that an admin elsewhere resets', async ({ hooked }) => {
    const { domain, world } = hooked
    const { owner, name } = await workspaceOf(hooked)
    const { id, email } = (await owner.call('getMe', {})).user
    await sql`insert into memberships (workspace_id, user_id, role)
              values (${world.workspaceId}, ${id}, 'member')`.execute(domain.db)
    await owner.call('deleteWorkspace', { name })
    await expect(world.alice.call('createResetLink', { id })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('belongs to another workspace') as string,
    })
    await createResetLinkOnServer(domain, { email, baseUrl: 'http://127.0.0.1:4600' })
    await owner.call('restoreWorkspace', {})
    const made = await owner.call('listAudit', { action: 'password.reset_link_made' })
    expect(made.entries).toMatchObject([{ targetId: id }])
  })

  test('is no way out while a link of an admin elsewhere is good', async ({ hooked }) => {
    const { domain, world } = hooked
    const bob = await world.person('member')
    const { link } = await world.alice.call('createResetLink', { id: bob.userId })
    const signIn = { id: '', expiresAt: new Date(8.64e15) }
    const person = { userId: bob.userId, userName: '', email: '', signIn }
    count += 1
    const slug = `own-${count}`
    const { workspace } = await createWorkspace(hooked, person, { slug, name: 'Own' })
    await sql`update workspaces set deleted_at = app.now() where id = ${workspace.id}`.execute(
      domain.db,
    )
    await sql`
      with ended as (delete from memberships where workspace_id = ${workspace.id} returning *)
      insert into held_memberships (workspace_id, user_id, role, created_at)
      select workspace_id, user_id, role, created_at from ended`.execute(domain.db)
    const secret = new URL(link).searchParams.get('token') ?? ''
    await expect(
      resetAccount({ domain }, secret, { newPassword: 'another few quiet words', browser: '' }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is restored on the server, and not once its time is over', async ({ hooked }) => {
    const { owner, name, slug } = await workspaceOf(hooked)
    const { domain, world } = hooked
    expect(await restoreWorkspaceOnServer(domain, { slug })).toEqual({ isRestored: false })
    await owner.call('deleteWorkspace', { name })
    expect(await restoreWorkspaceOnServer(domain, { slug })).toEqual({ isRestored: true })
    await owner.call('deleteWorkspace', { name })
    await world.advance(31 * day)
    for (const restore of [
      () => owner.call('restoreWorkspace', {}),
      () => restoreWorkspaceOnServer(domain, { slug }),
    ]) {
      await expect(restore()).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('Make a new one') as string,
      })
    }
  })
})

describe('a workspace whose 30 days are over', () => {
  test('every table of a workspace is purged with it', async ({ hooked }) => {
    const named = (await tablesOfWorkspaces(hooked.domain)).map(({ name }) => name)
    const apart = ['audit_trail', 'held_memberships', 'memberships', 'workspaces']
    const byLink = ['login_requests', 'oauth_requests', 'reset_links']
    const purged: string[] = [...ofWorkspace, ...apart, ...byLink]
    expect(named.toSorted()).toEqual(purged.toSorted())
  })

  test(
    'goes with every row but one, wherever a process dies, and no other does',
    { tags: 'large' },
    async ({ hooked }) => {
      const { domain, world } = hooked
      const { owner, member, name, id, slug } = await workspaceOf(hooked)
      const other = await workspaceOf(hooked)
      const reset = await owner.call('createResetLink', { id: member.userId })
      expect(reset.link).toBeDefined()
      const filledBefore = Object.keys(filled(await rowsOf(hooked, id)))
      expect(filledBefore.length).toBeGreaterThan(25)
      await owner.call('deleteWorkspace', { name })
      await world.settle()
      await world.advance(31 * day)
      await purgeExpired(domain, 'each hour')
      const ofOther = await rowsOf(hooked, other.id)

      // a pass that dies halfway
      await sql`
      create function refuse_purge() returns trigger language plpgsql as
        $$ begin raise 'the process is gone'; end $$`.execute(domain.db)
      await sql`
      create trigger refuse_purge before delete on missions for each row
        when (old.workspace_id = ${sql.lit(id)}) execute function refuse_purge()`.execute(domain.db)
      await expect(purgeWorkspaces(domain)).rejects.toThrow('the process is gone')
      const halfway = filled(await rowsOf(hooked, id))
      expect(halfway['missions']).toBeGreaterThan(0)
      expect(halfway['execution_requests']).toBeUndefined()
      await sql`drop trigger refuse_purge on missions`.execute(domain.db)

      // some batches at a time, by two processes
      while ((await purgeWorkspaces(domain, 3)) > 0)
        await Promise.all([purgeWorkspaces(domain, 2), purgeWorkspaces(domain, 2)])
      expect(filled(await rowsOf(hooked, id))).toEqual({})
      expect(await rowsOf(hooked, other.id)).toEqual(ofOther)
      const { rows } = await sql`
      select id, slug, name, deleted_by from removed_workspaces where id = ${id}`.execute(domain.db)
      expect(rows).toEqual([{ id, slug, name, deleted_by: owner.userId }])
      await expect(authenticate(domain, owner.token, 'api')).rejects.toMatchObject(unauthenticated)
      // the slug is free
      await enrol(domain, { workspace: slug, name: 'later', role: 'owner' })
    },
  )
})
