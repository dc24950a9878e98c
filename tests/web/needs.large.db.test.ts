import { openHooked } from '@svc/domain/testing/hooked-world'
import type { World } from '@svc/domain/testing/open-world'
import { describe, expect } from 'vitest'
import { needsToLookAt } from './needs-scene.ts'
import { needNames, needRow, openNeeds } from './open-needs.ts'
import { expectLive, test } from './scene.ts'

const options = [
  { id: 'keep', label: 'Keep it' },
  { id: 'rename', label: 'Rename it' },
]

/** Objectives of one project that each have an open question, in the order in which they asked. */
async function askingProject(world: World, names: readonly string[]) {
  const { project, mission } = await world.missionWith(names, { allowParallelObjectives: true })
  const asked = []
  for (const objective of mission.objectives) {
    const { agent } = await world.attachedRun(objective)
    const { questionId } = await agent.ask({ question: `${objective.title}?`, options })
    asked.push({ id: objective.displayId, objective, agent, questionId })
  }
  return { project, mission, asked }
}

describe('two people at one list', () => {
  test('see what the other one has settled, for five seconds, and lose nothing that is typed', async ({
    openApp,
    scene,
  }) => {
    const { project, asked } = await askingProject(scene.world, ['First', 'Second'])
    const [mine, other] = [await openApp(), await openApp()]
    await openNeeds(mine.page, project)
    await openNeeds(other.page, project)
    const [first, second] = asked.map(({ id }) => id)
    const typed = needRow(mine.page, second ?? '').getByRole('textbox')
    await typed.fill('Half an answer')
    // it says so for five seconds alone: looked for from before it does
    const settled = needRow(mine.page, first ?? '').and(mine.page.locator('[data-settled]'))
    const isSaid = Promise.all(
      ['alice', 'Keep it'].map((text) => settled.getByText(text).waitFor()),
    )
    isSaid.catch(() => undefined)
    await needRow(other.page, first ?? '')
      .getByRole('button', { name: /Keep it/ })
      .click()
    await needRow(other.page, first ?? '').waitFor({ state: 'detached' })
    await needRow(other.page, second ?? '')
      .getByRole('button', { name: /Rename it/ })
      .click()
    await other.page.getByText('Nothing needs you.').waitFor()

    await isSaid
    await needRow(mine.page, first ?? '').waitFor({ state: 'detached' })
    const kept = needRow(mine.page, second ?? '')
    await kept.getByText('Half an answer').waitFor()
    await kept.getByRole('button', { name: 'Discard it' }).click()
    await mine.page.getByText('Nothing needs you.').waitFor()
    expect([...mine.misdeeds, ...other.misdeeds]).toEqual([])
  })

  test('are shown what they had written beside the option that they chose, until they discard it', async ({
    openApp,
    scene,
  }) => {
    const { project, asked } = await askingProject(scene.world, ['Beside'])
    const [{ id, questionId } = { id: '', questionId: '' }] = asked
    const { page } = await openApp()
    await openNeeds(page, project)
    const row = needRow(page, id)
    await row.getByRole('textbox').fill('But look at the cookies first')
    await row.getByRole('button', { name: /Keep it/ }).click()
    await row.getByText('Answered.').waitFor()
    const kept = row.getByLabel('what you had written', { exact: true })
    expect(await kept.innerText()).toBe('But look at the cookies first')
    const { question } = await scene.world.alice.call('getQuestion', { id: questionId })
    expect(question.answer?.text).toBe('Keep it')
    await row.getByRole('button', { name: 'Discard it' }).click()
    await page.getByText('Nothing needs you.').waitFor()
  })

  test('are told what became of what is no question', async ({ openApp, scene }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith(['Write it'])
    await world.alice.call('moveMission', { id: mission.id, statusId: 'review' })
    const { page } = await openApp()
    await openNeeds(page, project)
    const row = needRow(page, mission.displayId)
    await row.getByText('Nothing was delivered').waitFor()
    await world.alice.call('acceptMission', { id: mission.id })
    await row.getByText('It is not in review any more.').waitFor()
    expect(await row.getByRole('link', { name: 'Review' }).count()).toBe(0)
    await row.waitFor({ state: 'detached' })
    await page.getByText('Nothing needs you.').waitFor()
  })
})

describe('by keys', () => {
  test('one goes from row to row, answers, and opens what a row is of', async ({
    openApp,
    scene,
  }) => {
    const { project, asked } = await askingProject(scene.world, ['One', 'Two', 'Three'])
    const { page } = await openApp()
    await openNeeds(page, project)
    const [one, two, three] = asked.map(({ id }) => id)
    await needRow(page, three ?? '').waitFor()
    const focused = () =>
      page.evaluate<string>(
        `document.activeElement.closest('[data-need]')?.querySelector('article').ariaLabel ?? ''`,
      )
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focused()).toBe(`Question of ${two}`)
    await page.keyboard.press('1')
    await needRow(page, two ?? '').waitFor({ state: 'detached' })
    expect(await focused()).toBe(`Question of ${three}`)
    await page.keyboard.press('k')
    await page.keyboard.press('a')
    await page.keyboard.type('In words.')
    await page.keyboard.press('Control+Enter')
    await needRow(page, one ?? '').waitFor({ state: 'detached' })
    const answers = await Promise.all(
      asked.map(({ questionId }) => scene.world.alice.call('getQuestion', { id: questionId })),
    )
    expect(answers.map(({ question }) => question.answer?.text)).toEqual([
      'In words.',
      'Keep it',
      undefined,
    ])
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys of this page' })
    for (const does of ['the next row', 'open the row', 'write an answer', 'answer “Keep it”']) {
      await help.getByText(does).waitFor()
    }
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`/w/here/o/${three}`)
  })

  test('the next question is answered, too, where the list was empty meanwhile', async ({
    openApp,
    scene,
  }) => {
    const { project, asked } = await askingProject(scene.world, ['Again'])
    const { page } = await openApp()
    await openNeeds(page, project)
    await page.locator('[data-need]').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('1')
    await page.getByText('Nothing needs you.').waitFor()
    const [{ agent, questionId } = {}] = asked
    await agent?.ask({ questionId })
    await agent?.ask({ question: 'And now?', options })
    await page.getByText('And now?').waitFor()
    await page.keyboard.press('2')
    await page.getByText('Nothing needs you.').waitFor()
  })
})

test('what comes while a row has the focus waits above, and moves nothing', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Ask', 'Later'])
  const others = await world.missionWith(['Other'], { project })
  await world.alice.call('moveMission', { id: others.mission.id, statusId: 'review' })
  const { page } = await openApp()
  await openNeeds(page, project)
  const row = needRow(page, others.mission.displayId)
  await row.waitFor()
  await page.keyboard.press('j')
  const place = await row.boundingBox()
  const { agent } = await world.attachedRun(mission.objectives[0])
  await agent.ask({ question: 'Before it?', options })
  const waiting = page.getByRole('button', { name: '1 new' })
  await waiting.waitFor()
  expect(await needNames(page)).toEqual([others.mission.displayId])
  expect((await row.boundingBox())?.x).toBe(place?.x)
  await waiting.click()
  await page.getByText('Before it?').waitFor()
  expect(await needNames(page)).toEqual([mission.objectives[0].displayId, others.mission.displayId])
})

test('200 of them are read page by page, each once, and say how many there are', async ({
  openApp,
  scene,
}) => {
  const { alice } = scene.world
  const { project } = await scene.world.missionWith([])
  const names: string[] = []
  for (let number = 0; number < 200; number += 1) {
    const { mission } = await alice.call('createMission', {
      projectId: project.id,
      title: `Mission ${number}`,
    })
    await alice.call('moveMission', { id: mission.id, statusId: 'review' })
    names.push(mission.displayId)
  }
  const { page } = await openApp()
  await openNeeds(page, project)
  await page.getByRole('button', { name: 'Mine 200', exact: true }).waitFor()
  const rows = page.locator('[data-need]')
  for (const count of [50, 100, 150, 200]) {
    await expect.poll(() => rows.count()).toBe(count)
    if (count === 200) break
    expect(await rows.last().getAttribute('aria-setsize')).toBe('200')
    expect(await rows.last().getAttribute('aria-posinset')).toBe(String(count))
    await page.getByRole('button', { name: 'More', exact: true }).click()
  }
  expect(await needNames(page)).toEqual(names)
  expect(await page.getByRole('button', { name: 'More', exact: true }).count()).toBe(0)
})

describe('in its row', () => {
  test('what stopped goes on, and what awaits approval goes back', async ({ openApp, scene }) => {
    const { world } = scene
    const { alice } = world
    const { project, mission } = await world.missionWith(['Delivered', 'Next'])
    const [delivered, next] = mission.objectives
    const other = await world.missionWith(['Ended'], { project })
    const [ended] = other.mission.objectives
    const runner = await world.connectedRunner(project)
    const first = await world.attachedRun(delivered, runner)
    await first.agent.deliver()
    await runner.exited(first.lease)
    const { lease } = await world.attachedRun(ended, runner)
    await runner.exited(lease)
    const { page } = await openApp()
    await openNeeds(page, project)
    await needRow(page, ended.displayId).getByRole('button', { name: 'Go on with it' }).click()
    await needRow(page, ended.displayId).waitFor({ state: 'detached' })
    await page.getByText(`${ended.displayId} goes on`).first().waitFor()
    await needRow(page, next.displayId).getByRole('button', { name: 'Send back' }).click()
    await needRow(page, next.displayId).waitFor({ state: 'detached' })
    expect(await needNames(page)).toEqual([mission.displayId])
    expect((await alice.objective(next)).state).toBe('draft')
    const [run] = await alice.requestsOf(other.mission)
    expect(run).toMatchObject({ kind: 'resume', status: 'queued' })
  })

  test('what is held is tried again, and its queue goes on', async ({ openApp, scene }) => {
    const { world } = scene
    const { alice } = world
    const { project, mission } = await world.missionWith(['Held', 'Next'])
    const [held, next] = mission.objectives
    for (const { id } of [held, next]) {
      await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
      await alice.call('queueObjective', { objectiveId: id })
    }
    const runner = await world.connectedRunner(project)
    const { queues } = await alice.call('listRunQueues', { id: project.id })
    await alice.call('startRunQueue', { id: queues[0]?.id ?? '' })
    await runner.failed(await runner.take())
    const { page } = await openApp()
    await openNeeds(page, project)
    const queue = page.getByRole('article', { name: /^The queue Default of / })
    await queue.getByText('1 objective waits in it.').waitFor()
    await queue.getByRole('button', { name: 'Let it go on', exact: true }).click()
    await queue.waitFor({ state: 'detached' })
    const row = needRow(page, held.displayId)
    await row.getByText('Its run failed: try it again.').waitFor()
    await row.getByRole('button', { name: 'Try it again' }).click()
    await row.waitFor({ state: 'detached' })
    const after = await alice.call('listRunQueues', { id: project.id })
    expect(after.queues[0]?.pausedAt).toBeNull()
    expect(after.queues[0]?.entries.map(({ state }) => state)).not.toContain('held')
  })

  test('a webhook is enabled again', async ({ openApp, scene }) => {
    const { world } = scene
    await using hooked = await openHooked(world)
    const { project } = await world.missionWith([])
    const { id } = await hooked.subscribe({ name: 'CI', projectId: project.id })
    await world.alice.call('disableWebhook', { id })
    const { page } = await openApp()
    await openNeeds(page, project)
    const row = page.getByRole('article', { name: 'The webhook CI' })
    await row.getByText('An admin disabled it.').waitFor()
    await row.getByRole('button', { name: 'Enable it', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    const { webhooks } = await world.alice.call('listWebhooks', {})
    expect(webhooks.find((one) => one.id === id)?.disabledReason).toBeNull()
  })
})

describe('the address', () => {
  test('says whose are shown, and of which project', async ({ openApp, scene }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith(['Ask'])
    const agent = world.agentOf(world.bob, {
      missionId: mission.id,
      objectiveId: mission.objectives[0].id,
    })
    await agent.attach()
    await agent.ask({ question: 'Whose is it?' })
    const { page } = await openApp()
    await openNeeds(page, project)
    await page.getByRole('link', { name: '1 waits for others' }).waitFor()
    await page.getByRole('button', { name: 'All 1', exact: true }).click()
    await page.getByText('Whose is it?').waitFor()
    expect(new URL(page.url()).search).toBe(`?whose=all&project=${project.slug}`)
    const other = await world.missionWith([])
    await page.getByRole('button', { name: `Project: ${project.slug}` }).click()
    await page.getByRole('menuitem', { name: other.project.name, exact: true }).click()
    await page.getByText('Nothing waits for anybody.').waitFor()
    await page.goBack()
    await page.getByText('Whose is it?').waitFor()
  })

  test('of a question leads to it, also when it was answered', async ({ openApp, scene }) => {
    const { project, asked } = await askingProject(scene.world, ['Asked'])
    const [{ id, questionId } = { id: '', questionId: '' }] = asked
    const { page } = await openApp()
    const land = async () => {
      await page.goto(`/w/here?question=${questionId}`)
      await page.waitForURL(`/w/here/o/${id}`)
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.ariaLabel'))
        .toBe(`Question of ${id}`)
    }
    await land()
    await page.keyboard.press('2')
    await page.getByText('Answered. scripted goes on at once.').first().waitFor()
    await land()
    await page
      .getByRole('article', { name: `Question of ${id}` })
      .getByText('Rename it')
      .waitFor()
    expect(project.slug).toBe(id.split(':')[0])
  })
})

test('whoever may only look sees what waits, and no control', async ({ windowOf, scene }) => {
  const project = await needsToLookAt(scene.world)
  const { page } = await windowOf(scene.world.vera)
  await openNeeds(page, project, '&whose=all')
  await page.getByText('Keep the old cookie name').waitFor()
  const list = page.getByRole('list', { name: 'What waits' })
  expect((await needNames(page)).length).toBeGreaterThanOrEqual(4)
  expect(await list.getByRole('button').count()).toBe(0)
  expect(await list.getByRole('textbox').count()).toBe(0)
  await page.keyboard.press('1')
  await page.keyboard.press('a')
  await expectLive(page)
  expect(await list.getByText('Keep the old cookie name').count()).toBe(1)
})

test('what somebody hostile has written is text in every row', async ({ openApp, scene }) => {
  const { world } = scene
  const { alice } = world
  const evil =
    '<img src=https://evil.example/x onerror=alert(1)> **b** ![i](https://evil.example/y) [l](javascript:alert(1)) \u202Etxet'
  const { project, mission } = await world.missionWith([evil, evil, evil], {
    title: evil,
    allowParallelObjectives: true,
  })
  const [asks, fails, waits] = mission.objectives
  const runner = await world.connectedRunner(project, { label: 'lap <b>' })
  const { agent } = await world.attachedRun(asks, runner)
  await agent.heartbeat({ percent: 10, note: evil })
  await agent.ask({ question: evil, options: [{ id: 'x', label: evil, description: evil }] })
  await alice.launch(fails)
  await runner.failed(await runner.take(), { message: evil })
  await alice.launch(waits, { agent: 'rare' })
  const moved = await world.missionWith([], { project, title: evil })
  await alice.call('moveMission', { id: moved.mission.id, statusId: 'review' })
  const { page, misdeeds } = await openApp()
  page.on('dialog', (dialog) => misdeeds.push(dialog.message()))
  await openNeeds(page, project)
  await expect.poll(() => needNames(page)).toHaveLength(3)
  await page.getByRole('region', { name: 'Running now' }).getByText('⟨U+202E⟩').first().waitFor()
  expect(await page.locator('main img, main [onerror], a[href^="javascript"]').count()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain('\u202E')
  expect(misdeeds).toEqual([])
})
