import { tokenFromOAuth } from '@svc/domain/testing/granted'
import { expect } from 'vitest'
import { type Hostile, hostileMission, inSlices } from './hostile-scene.ts'
import { inTurn } from './hostile-texts.ts'
import { logRows, test } from './open-webhooks.ts'
import { queuedWork } from './queues-scene.ts'

/** A workspace, its people and its machinery, where they are shown. */
export function onPagesOfWorkspace({ texts, expectText }: Hostile): void {
  const all = texts.join('\n\n')

  test('on the page of the projects, and where missions are found', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const names = texts.filter((text) => text.length <= 200 && !text.includes('\n'))
    let made = 0
    for (const name of names) {
      made += 1
      await scene.world.alice.call('createProject', { name, slug: `evil${made}` })
    }
    await scene.world.missionWith(['Do it.'], { title: `findable ${inTurn(texts, 1)(150)}` })
    const { page, misdeeds } = await openApp()
    await goTo(page, '/projects')
    await page.getByText('<script>alert(1)</script>').first().waitFor()
    await expectText(page, misdeeds)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('findable')
    await page
      .getByRole('list', { name: 'Missions found' })
      .getByText('onerror')
      .or(page.getByRole('list', { name: 'Missions found' }).getByText('fetch('))
      .first()
      .waitFor()
    await expectText(page, misdeeds)
  })

  test('on the settings of a project', async ({ openApp, scene, goTo }) => {
    const { alice } = scene.world
    const short = inTurn(texts)
    const project = await scene.world.projectWith([{ resourceKey: 'web' }])
    const { id, slug } = project
    await alice.call('updateProject', { id, name: short() })
    await alice.call('createProjectStatus', { id, label: short(), type: 'draft' })
    const resources = [{ projectId: id, resourceKey: 'web' }]
    await scene.world.connectedRunner(project, { label: short(60), resources })
    const oneLine = texts.filter((text) => !/[\p{Cc}]/u.test(text))
    await alice.call('updateLaunchSettings', {
      id,
      preLaunchCommands: inSlices(texts, 20).map((slice) => slice.join('\n')),
      launchEnvVars: { EVIL: all },
      agents: { claude: { model: oneLine[0], flags: oneLine.slice(0, 20) } },
      checks: { test: { command: texts.slice(0, 30).join('\n') } },
    })
    const { page, misdeeds } = await openApp()
    await goTo(page, `/p/${slug}/settings`)
    await page.getByRole('button', { name: 'Show the values of variables' }).click()
    await page.getByText('⟨U+202E⟩').first().waitFor()
    await page.getByRole('region', { name: 'Preview of a launch' }).getByText('EVIL=').waitFor()
    await expectText(page, misdeeds)
    await page.keyboard.press('l')
    const form = page.getByRole('form', { name: 'Launch settings' })
    await form.getByLabel('Command in front of the agent').fill('nvm exec')
    await page.getByRole('region', { name: 'Preview of a launch' }).locator('ins').first().waitFor()
    await alice.call('updateLaunchSettings', {
      id,
      preCommand: 'echo "<img src=x onerror=alert(1)>"',
    })
    await page.getByRole('region', { name: /^Changed by somebody else/ }).waitFor()
    await expectText(page, misdeeds)
    for (const name of ['Link a checkout: web', 'Change web', 'Remove web']) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').waitFor()
      await expectText(page, misdeeds)
      await page.keyboard.press('Escape')
    }
  })

  test('on the pages of run queues and of runners', async ({ openApp, scene, goTo }) => {
    const { world } = scene
    // a screen shows no more of a queue: those that hide in which direction they are written are among them
    const hidden = texts.findIndex((text) => text.includes('\u202E'))
    const short = inTurn(texts.slice(hidden).concat(texts.slice(0, hidden)))
    const titles = Array.from({ length: Math.min(40, texts.length) }, () => short())
    const { project, queueId, runner } = await queuedWork(world, titles)
    await world.alice.call('updateRunQueue', { id: queueId, name: short() })
    await world.alice.call('createRunQueue', { id: project.id, name: short() })
    await runner.claim({
      projectIds: [project.id],
      device: { fingerprint: runner.fingerprint, label: short(), platform: short(40), arch: 'x' },
      agents: [{ key: 'scripted', version: short(), path: short() }],
    })
    const { page, misdeeds } = await openApp()
    await goTo(page, `/p/${project.slug}/queues`)
    await page.locator('[data-sorted]').first().waitFor()
    await page.getByText('⟨U+202E⟩').first().waitFor()
    await expectText(page, misdeeds)
    await goTo(page, '/runners')
    const closed = await page.locator('[data-runner] button[aria-expanded="false"]').all()
    // the last first: each is found by how many closed ones are before it
    for (const row of closed.toReversed()) {
      await row.click()
    }
    await page.getByText('Takes launches of').first().waitFor()
    for (const fold of await page.locator('main summary').all()) await fold.click()
    await expectText(page, misdeeds)
  })

  test(
    'on the page of who may come in, and by what',
    { timeout: 600_000 },
    async ({ openApp, scene, goTo }) => {
      const { domain, alice } = scene.world
      const names = texts.filter((text) => text.length <= 200 && !text.includes('\n'))
      for (const name of names) {
        const { userId } = await scene.world.person('viewer')
        await domain.db.updateTable('users').set({ name }).where('id', '=', userId).execute()
        await alice.call('createUserToken', { label: name, preset: 'read_only' })
        await tokenFromOAuth(domain, await alice.actor(), name)
      }
      await alice.call('updateWorkspace', { name: inTurn(texts)() })
      const { page, misdeeds } = await openApp()
      for (const tab of ['members', 'tokens', 'all-tokens', 'applications', 'workspace']) {
        await goTo(page, `/access?tab=${tab}`)
        const rows = page.locator('main ul[aria-label] > li')
        await rows.first().waitFor()
        const more = page.getByRole('button', { name: 'Show more' })
        for (let shown = 50; await more.isVisible(); shown += 50) {
          await more.click()
          await expect.poll(() => rows.count()).toBeGreaterThan(shown)
        }
        if (tab !== 'workspace') {
          await page.getByText('⟨U+202E⟩').first().waitFor()
          await page.getByText('<script>alert(1)</script>').first().waitFor()
        }
        await expectText(page, misdeeds)
      }
      await alice.call('updateWorkspace', { name: 'Here' })
    },
  )

  test('on the pages of the audit trail and of what was used', async ({ openApp, scene, goTo }) => {
    const { alice } = scene.world
    const { mission, run, runner, short } = await hostileMission(scene, texts)
    await runner.exited(run.lease, { usage: { inputTokens: 10, outputTokens: 1, usd: '0.31' } })
    for (const label of texts.slice(0, 40).filter((text) => !text.includes('\n'))) {
      await alice.call('createUserToken', { label: label.slice(0, 200), preset: 'read_only' })
    }
    await alice.call('updateMission', { id: mission.id, title: short() })
    const { page, misdeeds } = await openApp()
    await goTo(page, '/audit')
    await page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem').first().waitFor()
    for (const fold of await page.locator('main summary').all()) await fold.click()
    await page.getByRole('listitem').getByText('onerror').first().waitFor()
    await expectText(page, misdeeds)
    await goTo(page, '/usage')
    await page.getByRole('table').first().waitFor()
    await expectText(page, misdeeds)
  })

  test('on the pages of webhooks, and in what a receiver answers', async ({
    openApp,
    hooked,
    goTo,
  }) => {
    const { receiver, subscribe } = hooked
    receiver.answer((_post, response) => {
      const header = '<img src=x onerror=alert(1)>'
      response.writeHead(500, { 'content-type': 'text/html', 'x-evil': header })
      response.end(all.slice(0, 900) + '\u202Etxet')
    })
    const short = inTurn(texts)
    const names = Array.from({ length: Math.min(12, texts.length) }, () => short().trim())
    const [made] = await Promise.all(names.map((name) => subscribe({ name })))
    const { page, misdeeds } = await openApp()
    await goTo(page, '/webhooks')
    await page.getByRole('list', { name: 'Webhooks' }).getByRole('link').first().waitFor()
    await expectText(page, misdeeds)
    await goTo(page, `/webhooks/${made?.id}`)
    await page.getByRole('button', { name: 'Send test delivery' }).click()
    const result = page.getByRole('region', { name: 'Test delivery' })
    await result.getByText('status 500').waitFor()
    await logRows(page).first().waitFor()
    await expectText(page, misdeeds)
    await logRows(page).getByRole('link').click()
    await page.getByRole('list', { name: 'Tries' }).getByText('onerror').first().waitFor()
    await expectText(page, misdeeds)
  })
}
