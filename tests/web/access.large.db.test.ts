import { enrol } from '@svc/domain/testing/enrol'
import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { claimBody } from '@svc/domain/testing/runner'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { doWith, invite, joinBy, rowOf, statusOf } from './open-access.ts'
import { closeAll, pressAll, refuseOwnMatters } from './press-all.ts'
import { readsOnce } from './reads-once.ts'
import { expectLive, test } from './scene.ts'
import { expectForgotten, keep } from './shown-once.ts'

const tabs = ['tokens', 'applications', 'sign-ins', 'workspace'] as const

describe('a viewer', () => {
  test('finds what is their own, and nothing by which others would be changed', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { page, misdeeds } = await windowOf(scene.world.vera)
    const others = await refuseOwnMatters(page)
    await goTo(page, '/access')
    await page.getByRole('list', { name: 'Members' }).getByText('alice@example.com').waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Members',
      'Your tokens',
      'Applications',
      'Sign-ins',
      'Workspace',
    ])
    expect(await page.getByRole('button', { name: /^What to do with / }).count()).toBe(1)
    await page.getByRole('button', { name: 'What to do with vera' }).click()
    await page.getByRole('menuitem').first().waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Leave the workspace …'])
    await page.keyboard.press('Escape')
    for (const tab of tabs) {
      await goTo(page, `/access?tab=${tab}`)
      await expect.poll(() => page.locator('main [role=status]').count()).toBe(0)
      await pressAll(page)
      await closeAll(page)
    }
    await goTo(page, '/access?tab=workspace')
    await page.getByText('A token lives at most').waitFor()
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    for (const [tab, right] of [
      ['invitations', 'member:invite'],
      ['all-tokens', 'token:read'],
    ]) {
      await goTo(page, `/access?tab=${tab}`)
      await page
        .getByRole('alert')
        .getByText(right ?? '')
        .waitFor()
      await pressAll(page)
    }
    expect([...others, ...misdeeds]).toEqual([])
  })
})

describe('who is a member', () => {
  test('is what only an owner decides of owners, and the last one is led to make another', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { world } = scene
    const owner = await world.person('owner', 'olga')
    const admin = await windowOf(world.alice)
    await goTo(admin.page, '/access')
    await rowOf(admin.page, 'Members', 'olga').getByText('owner').waitFor()
    const menu = admin.page.getByRole('button', { name: 'What to do with olga' })
    expect(await menu.count()).toBe(0)
    await doWith(admin.page, 'bob', 'Change the role')
    const given = admin.page.getByLabel('Role', { exact: true }).locator('option')
    expect(await given.allInnerTexts()).toEqual(['admin', 'member', 'viewer'])

    const { page, misdeeds } = await windowOf(owner)
    await goTo(page, '/access?tab=workspace')
    await page.getByRole('button', { name: 'Leave the workspace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the workspace' }).click()
    const refused = page.getByRole('alert').filter({ hasText: 'keeps an owner' })
    await refused.getByRole('button', { name: 'To the members' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await doWith(page, 'olga', 'Change the role')
    await page.getByLabel('Role', { exact: true }).selectOption('member')
    await page.getByRole('button', { name: 'Change the role' }).click()
    await refused.getByRole('button', { name: 'To the members' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await doWith(page, 'bob', 'Change the role')
    await page.getByLabel('Role', { exact: true }).selectOption('owner')
    await page.getByRole('button', { name: 'Change the role' }).click()
    await rowOf(page, 'Members', 'bob').getByText('owner', { exact: true }).waitFor()
    await rowOf(admin.page, 'Members', 'bob').getByText('owner', { exact: true }).waitFor()
    await doWith(page, 'olga', 'Leave')
    await page.getByRole('list', { name: 'Tokens' }).getByText('own (svcut_').waitFor()
    await page.getByRole('button', { name: 'Leave the workspace' }).click()
    await page.getByRole('heading', { name: 'You are in no workspace yet' }).waitFor()
    await rowOf(admin.page, 'Members', 'olga').waitFor({ state: 'detached' })
    expect([...misdeeds, ...admin.misdeeds]).toEqual([])
    const { userId } = await world.bob.actor()
    await world.domain.db
      .updateTable('memberships')
      .set({ role: 'member' })
      .where('user_id', '=', userId)
      .execute()
  })

  test('is shown what ends with them before they are removed, and their account may be reset', async ({
    openApp,
    scene,
    goTo,
    windowOf,
  }) => {
    const { world } = scene
    const hugo = await world.person('member', 'hugo')
    const { project, mission } = await world.missionWith(['one'])
    const runner = await world.connectedRunner(project, { owner: hugo, label: 'lap-hugo' })
    await world.attachedRun(mission.objectives[0], runner)
    const { page } = await openApp()
    await goTo(page, '/access')
    await doWith(page, 'hugo', 'Link to reset')
    await page.getByRole('button', { name: 'Make the link' }).click()
    const shown = page.getByRole('dialog', { name: 'The link, shown this once' })
    await shown.getByRole('list', { name: 'Runners, which stop' }).getByText('lap-hugo').waitFor()
    const link = await keep(page, 'The link, shown this once')
    await expectForgotten(page, link)
    const own = await windowOf()
    await own.page.goto(link)
    await own.page.getByText('lap-hugo').first().waitFor()

    await doWith(page, 'hugo', 'Remove')
    const removal = page.getByRole('dialog', { name: 'Remove hugo' })
    const runs = removal.getByRole('list', { name: 'Runs, which stop with them' })
    await runs.getByText(`${mission.objectives[0].displayId} on lap-hugo`).waitFor()
    await removal.getByRole('button', { name: 'Keep' }).click()
    expect((await hugo.call('getMe', {})).role).toBe('member')
    await doWith(page, 'hugo', 'Remove')
    await removal.getByRole('button', { name: 'Remove from the workspace' }).click()
    await rowOf(page, 'Members', 'hugo').waitFor({ state: 'detached' })
    await expect(hugo.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('is read in pages that cost the same however many there are', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { domain, workspaceId } = scene.world
    await sql`
      with made as (
        insert into users (id, email, name)
        select gen_random_uuid(), 'many' || n || '@example.com', 'many ' || n
          from generate_series(1, 120) n returning id)
      insert into memberships (workspace_id, user_id, role)
      select ${workspaceId}, id, 'viewer' from made`.execute(domain.db)
    const { page } = await openApp()
    await readsOnce(page, scene)
    const reads: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/members')) reads.push(request.url())
    })
    await goTo(page, '/access')
    const rows = page.getByRole('list', { name: 'Members' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(50)
    expect(reads).toHaveLength(1)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows.count()).toBe(100)
    expect(reads).toHaveLength(2)
    await sql`delete from memberships m using users u
               where u.id = m.user_id and u.name like 'many %'`.execute(domain.db)
  })
})

describe('an invitation', () => {
  test('is good for its newest link alone, and for none once it is revoked', async ({
    openApp,
    windowOf,
    scene,
    goTo,
  }) => {
    const { page, misdeeds } = await openApp()
    await goTo(page, '/access?tab=invitations')
    const first = await invite(page, 'late@example.com', 'viewer')
    const row = rowOf(page, 'Invitations', 'late@example.com')
    await row.getByText('as viewer').waitFor()
    await row.getByText('good for another 3 days').or(row.getByText('72 h')).first().waitFor()
    await row.getByRole('button', { name: 'New link for late@example.com' }).click()
    await page.getByRole('button', { name: 'Make the link' }).click()
    const second = await keep(page, 'The link, shown this once')
    expect(second).not.toBe(first)
    const other = await windowOf()
    await other.page.goto(first)
    await other.page.getByRole('heading', { name: 'That did not work' }).waitFor()

    // another admin sees it go as it is used
    const admin = await windowOf(await scene.world.person('admin'))
    await goTo(admin.page, '/access?tab=invitations')
    const seen = rowOf(admin.page, 'Invitations', 'late@example.com')
    await seen.waitFor()
    await joinBy(other.page, second, 'late')
    await seen.waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })

    const third = await invite(page, 'never@example.com')
    await rowOf(admin.page, 'Invitations', 'never@example.com').waitFor()
    await page.getByRole('button', { name: 'Revoke the invitation of never@example.com' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await rowOf(admin.page, 'Invitations', 'never@example.com').waitFor({ state: 'detached' })
    const late = await windowOf()
    await late.page.goto(third)
    await late.page.getByRole('heading', { name: 'That did not work' }).waitFor()
    expect([...misdeeds, ...admin.misdeeds]).toEqual([])
  })

  test('for somebody who is a member already, or no address, says so and keeps what is typed', async ({
    openApp,
    goTo,
  }) => {
    const { page } = await openApp()
    await goTo(page, '/access')
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByLabel('E-mail address').fill('bob@example.com')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    await dialog.getByText('is member here already').waitFor()
    await dialog.getByLabel('E-mail address').fill('no address')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    await dialog.getByText('give an e-mail address').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('c')
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('no address')
  })
})

describe('a token', () => {
  test('of the preset for runners claims a launch, and is made once however often it is sent', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { page } = await openApp()
    await goTo(page, '/access?tab=tokens&do=create&label=box%209&preset=runner')
    const dialog = page.getByRole('dialog', { name: 'New token' })
    expect(await dialog.getByLabel('What it is for').inputValue()).toBe('box 9')
    await dialog.getByText('take launches as a runner, and report on their runs').waitFor()
    // the service does it, and its answer never comes
    await page.route('**/api/user-tokens', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Create' }).click()
    const again = dialog.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    await page.unroute('**/api/user-tokens')
    await again.click()
    const token = await keep(page, 'The token, shown this once')
    expect(new URL(page.url()).search).toBe('?tab=tokens')
    await rowOf(page, 'Your tokens', 'box 9').waitFor()
    const { userTokens } = await scene.world.alice.call('listUserTokens', {})
    expect(userTokens.filter(({ label }) => label === 'box 9')).toMatchObject([
      { preset: 'runner' },
    ])
    const { project, mission } = await scene.world.missionWith(['one'])
    const { executionRequest } = await scene.world.alice.launch(mission.objectives[0])
    const asking = { projectIds: [project.id] }
    const claim = await fetch(`${scene.baseUrl}/api/runner/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(claimBody(asking, 'device-of-box-9', crypto.randomUUID())),
    })
    expect([claim.status, await claim.json()]).toMatchObject([
      200,
      { request: { executionRequest: { id: executionRequest.id } } },
    ])
    expect(await statusOf(scene.baseUrl, token, '/api/members')).toBe(403)
  })

  test('is bound to the projects that are chosen, and no longer than the workspace allows', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { world } = scene
    const [one, other] = [await world.missionWith(['a']), await world.missionWith(['b'])]
    const { page } = await openApp()
    await goTo(page, '/access?tab=tokens')
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('What it is for').fill('one project')
    await dialog.getByText('For all projects').click()
    await dialog.getByRole('checkbox', { name: one.project.name, exact: true }).check()
    await dialog.getByLabel('Good for how many days').fill('367')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Give a number from 1 to 366.').waitFor()
    await dialog.getByLabel('Good for how many days').fill('3')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const token = await keep(page, 'The token, shown this once')
    const row = rowOf(page, 'Your tokens', 'one project')
    await row.getByText('ends soon').waitFor()
    await row.getByText('What it may do').click()
    await row.getByText(`In these projects alone: ${one.project.name}`).waitFor()
    expect(await statusOf(scene.baseUrl, token, `/api/missions/${one.mission.id}`)).toBe(200)
    expect(await statusOf(scene.baseUrl, token, `/api/missions/${other.mission.id}`)).toBe(404)
  })

  test('that is revoked while the list is read is shown as that', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    await alice.call('createUserToken', { label: 'old laptop', preset: 'read_only' })
    const { page } = await openApp()
    await goTo(page, '/access?tab=tokens')
    const row = rowOf(page, 'Your tokens', 'old laptop')
    await row.waitFor()
    const { promise: mayAnswer, resolve } = Promise.withResolvers<void>()
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
    await page.route(
      '**/api/user-tokens',
      async (route) => {
        const response = await route.fetch()
        read()
        await mayAnswer
        // given up, once what is newer was asked for
        return route.fulfill({ response }).catch(() => undefined)
      },
      { times: 1 },
    )
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
    await isRead
    await row.getByRole('button', { name: 'Revoke old laptop' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText('old laptop is revoked').first().waitFor()
    resolve()
    await row.getByText('revoked', { exact: true }).waitFor()
  })

  test('of anybody, and of an application, is seen and ended by an admin', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { world } = scene
    const token = await tokenFromOAuth(world.domain, await world.bob.actor(), 'Bobs client')
    const { page } = await openApp()
    await goTo(page, '/access?tab=all-tokens')
    const row = rowOf(page, 'All tokens', 'Bobs client')
    await row.getByText('Of bob, bob@example.com, given to an application').waitFor()
    await row.getByRole('button', { name: 'Revoke Bobs client' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await row.getByText('revoked', { exact: true }).waitFor()
    expect(await statusOf(scene.baseUrl, token)).toBe(401)
  })
})

test('an application that the person let in says what it may do, and is disconnected', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { domain, alice } = scene.world
  await tokenFromOAuth(domain, await alice.actor(), 'A chat client')
  const { page } = await openApp()
  await goTo(page, '/access?tab=applications')
  const row = rowOf(page, 'Applications', 'A chat client')
  await row.getByText('launch agents on runners that take your work').waitFor()
  await row.getByRole('button', { name: 'Disconnect A chat client' }).click()
  await page.getByRole('button', { name: 'Disconnect it' }).click()
  await row.waitFor({ state: 'detached' })
  const { connectedApplications } = await alice.call('listConnectedApplications', {})
  expect(connectedApplications.map(({ label }) => label)).not.toContain('A chat client')
})

test('one browser is signed out from another one, and then all of them', async ({
  windowOf,
  scene,
  goTo,
}) => {
  const irma = await scene.world.person('member', 'irma')
  const [one, other] = [await windowOf(irma), await windowOf(irma)]
  await goTo(other.page, '/projects')
  await goTo(one.page, '/access?tab=sign-ins')
  const list = one.page.getByRole('list', { name: 'Sign-ins' })
  await list.getByText('this one').waitFor()
  await one.page.getByRole('button', { name: /^Sign out a test/ }).click()
  await one.page.getByRole('button', { name: 'Sign it out' }).click()
  await other.page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)

  const third = await windowOf(irma)
  await goTo(third.page, '/access?tab=tokens')
  await third.page.keyboard.press('c')
  await third.page.getByLabel('What it is for').fill('half a sentence')
  await third.page.keyboard.press('Escape')
  await third.page.getByRole('tab', { name: 'Sign-ins' }).click()
  await third.page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await third.page.getByText('1 text that you have typed here').waitFor()
  await third.page.getByRole('button', { name: 'Discard and sign out everywhere' }).click()
  await third.page.waitForURL('/signin')
  expect(await third.page.evaluate('Object.values(localStorage).join()')).not.toContain('half a')
  await one.page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
  expect((await irma.call('getMe', {})).role).toBe('member')
})

test('a sign-out everywhere whose answer is lost discards what it said, and leaves', async ({
  windowOf,
  scene,
  goTo,
}) => {
  const { page } = await windowOf(await scene.world.person('member', 'karl'))
  await goTo(page, '/access?tab=tokens')
  await page.keyboard.press('c')
  await page.getByLabel('What it is for').fill('half a sentence')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Sign-ins' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.route('**/api/me/sessions', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'Discard and sign out everywhere' }).click()
  await page.waitForURL('/signin')
  expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain('half a')
})

describe('the workspace', () => {
  test('is renamed under every open page, and two who rename it at once see both names', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { world } = scene
    const { workspace: before } = await world.alice.call('getWorkspace', {})
    const [mine, theirs] = [
      await windowOf(world.alice),
      await windowOf(await world.person('admin')),
    ]
    for (const { page } of [mine, theirs]) {
      await goTo(page, '/access?tab=workspace')
      await page.getByRole('button', { name: 'Edit' }).click()
    }
    await mine.page.getByLabel('Name').fill('Half mine')
    await theirs.page.getByLabel('Name').fill('Theirs')
    await theirs.page.getByRole('button', { name: 'Save' }).click()
    await mine.page.getByRole('button', { name: 'Workspace Theirs' }).waitFor({ state: 'attached' })
    const conflict = mine.page.getByRole('region', { name: 'Changed by somebody else' })
    await conflict.getByText('Theirs').first().waitFor()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await theirs.page.getByRole('button', { name: 'Workspace Half mine' }).waitFor()
    await world.alice.call('updateWorkspace', { name: before.name })
    await mine.page.getByRole('button', { name: `Workspace ${before.name}` }).waitFor()
    expect([...mine.misdeeds, ...theirs.misdeeds]).toEqual([])
  })

  test('is one of several: a new one is made, gone to, and left', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const jana = await scene.world.person('viewer', 'jana')
    const { page, misdeeds } = await windowOf(jana)
    await goTo(page, '/access?tab=workspace')
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New workspace' })
    await dialog.getByLabel('Name').fill('Janas Büro')
    expect(await dialog.getByLabel('Part of its address').inputValue()).toBe('janas-buro')
    await dialog.getByLabel('Part of its address').fill('here')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('There is a workspace here already').waitFor()
    await dialog.getByLabel('Part of its address').fill('jana')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('/w/jana')
    await expectLive(page)
    await page.getByRole('button', { name: 'Workspace Janas Büro' }).waitFor()
    // a machine may be signed in to both, so that commands name the one that they are for
    await page.goto('/w/jana/runners')
    await page.getByRole('button', { name: 'Add a runner' }).first().click()
    await page.getByText('&& npm run -s svc -- --workspace jana runner start').waitFor()
    await page.goto('/w/jana/access?tab=all-tokens')
    await page.getByText('Nobody has a token here').waitFor()
    await page.goto('/w/jana/access?tab=workspace')
    const list = page.getByRole('list', { name: 'Your workspaces' })
    await list.getByRole('link', { name: 'Here' }).click()
    await page.waitForURL('/w/here')
    expect(misdeeds).toEqual([])
  })
})

test('an owner deletes the workspace from its page and restores it at their account, and nobody else is led there', async ({
  windowOf,
  scene,
}) => {
  const { domain, vera } = scene.world
  const { page: hers } = await windowOf(vera)
  const owner = await enrol(domain, { workspace: 'short-lived', name: 'olga', role: 'owner' })
  const { page, misdeeds } = await windowOf(owner)
  await page.goto('/w/short-lived/access?tab=workspace')
  await page.getByRole('link', { name: 'Delete the workspace …' }).click()
  await page.getByLabel('Its name, to be sure').fill('Short-lived')
  await page.getByRole('button', { name: 'Delete the workspace' }).click()
  await page.getByText('That workspace is deleted.').waitFor()
  await page.goto('/w/short-lived/access')
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Restore Short-lived' }).click()
  await page.getByText('That workspace is there again').waitFor()
  await page.goto('/w/short-lived/access?tab=workspace')
  await page.getByRole('link', { name: 'Delete the workspace …' }).waitFor()
  expect(misdeeds).toEqual([])
  await hers.goto('/w/here/access?tab=workspace')
  await hers.getByText('A token lives at most').waitFor()
  expect(await hers.getByRole('link', { name: 'Delete the workspace …' }).count()).toBe(0)
})
