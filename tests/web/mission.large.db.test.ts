import { type Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { showMission } from './mission-scene.ts'
import { objectiveRow, objectiveTitles, openMission } from './open-mission.ts'
import { test, slugOf } from './scene.ts'
import { verifies } from '@svc/testing/verifies'

describe('what has not started', () => {
  const before = [
    'Read the old settings',
    'Theme switch',
    'Write the docs',
    'Tell the plug-in authors',
  ]
  const after = before.with(2, 'Tell the plug-in authors').with(3, 'Write the docs')

  const ways: Record<string, (page: Page) => Promise<unknown>> = {
    'dragging it by its grip': async (page) => {
      const rows = page.locator('[data-objective]')
      const grip = rows.nth(3).locator('[data-grip]')
      // dragging is loaded once a mouse moves
      await grip.hover()
      await page.locator('[data-sorted][draggable="true"]').first().waitFor()
      await grip.dragTo(rows.nth(2), { targetPosition: { x: 50, y: 4 } })
    },
    'a key': async (page) => {
      await objectiveRow(page, 'Write the docs', 'draft').focus()
      await page.keyboard.press('Alt+ArrowDown')
    },
    'a button': async (page) => {
      await page.getByRole('button', { name: 'Move down: Write the docs' }).click()
    },
  }

  test.for(Object.entries(ways))('is put in order by %s', async ([, move], { openApp, scene }) => {
    const { mission } = await showMission(scene.world)
    const { page, misdeeds } = await openApp()
    await openMission(page, scene, mission.displayId)
    expect(await objectiveTitles(page)).toEqual(before)
    await move(page)
    await expect.poll(() => objectiveTitles(page)).toEqual(after)
    const kept = async () => (await scene.world.alice.mission(mission)).objectives
    await expect.poll(async () => (await kept()).map(({ title }) => title)).toEqual(after)
    await page.reload()
    await objectiveRow(page, 'Write the docs', 'draft').waitFor()
    expect(await objectiveTitles(page)).toEqual(after)
    expect(misdeeds).toEqual([])
  })

  test('keeps the focus where its order is changed by a key', async ({ openApp, scene }) => {
    const { mission } = await showMission(scene.world)
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await objectiveRow(page, 'Tell the plug-in authors', 'draft').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => objectiveTitles(page)).toEqual(after)
    const focused = page.locator('[data-objective]:focus-within bdi').first()
    expect(await focused.innerText()).toBe('Tell the plug-in authors')
  })
})

describe('what helps next', () => {
  test('is done on the page itself: a run that ended goes on, and a launch is asked for', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { mission } = await world.missionWith(['Write it'], { title: 'Ended' })
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    await runner.exited(lease, { exitCode: 1, agentError: 'No key.' })
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    const advised = page.getByRole('region', { name: 'What to do now' })
    await advised.getByText('No key.').waitFor()
    await advised.getByRole('button', { name: 'Launch it' }).click()
    await page
      .getByRole('dialog', { name: /^Launch / })
      .getByLabel('Agent')
      .waitFor()
    await page.keyboard.press('Escape')
    await advised.getByRole('button', { name: 'Go on with it' }).click()
    await objectiveRow(page, 'Write it', 'launching').waitFor()
  })

  test('may stand in an address, and is done once', async ({ openApp, scene }) => {
    const { objectives } = await showMission(scene.world)
    const { page } = await openApp()
    const { displayId } = objectives[2]
    await page.goto(`/w/here/o/${displayId}?do=launch&agent=codex`)
    const sheet = page.getByRole('dialog', { name: `Launch ${displayId}` })
    await sheet.getByLabel('Agent').waitFor()
    expect(await sheet.getByLabel('Agent').inputValue()).toBe('codex')
    expect(new URL(page.url()).search).toBe('')
    await page.reload()
    await page.getByRole('textbox', { name: 'An answer in your words' }).waitFor()
    expect(await sheet.count()).toBe(0)
  })

  test('leads from an id to the page of what it names', async ({ openApp, scene }) => {
    const { mission, objectives } = await showMission(scene.world)
    const { page } = await openApp()
    await page.goto(`/w/here/m/${mission.id}`)
    await page.waitForURL(`**/m/${mission.displayId}`)
    await page.goto(`/w/here/o/${objectives[2].id}`)
    await page.waitForURL(`**/o/${objectives[2].displayId}`)
    await page.getByRole('button', { name: /^Download sketch.png/ }).waitFor()
  })
})

test('a model that is typed is kept when its saving is refused, wherever the focus went meanwhile', async ({
  openApp,
  scene,
}) => {
  const { mission } = await scene.world.missionWith(['Choose a model'])
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  const answers = Promise.withResolvers<void>()
  await page.route('**/api/objectives/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    await answers.promise
    const error = { code: 'forbidden', message: 'Not now.', requestId: 'r' }
    await route.fulfill({ status: 403, json: { error } })
  })
  await objectiveRow(page, 'Choose a model', 'draft').click()
  const field = page.getByLabel('Model')
  await field.fill('opus')
  await field.press('Enter')
  await field.press('Enter')
  await field.press('Tab')
  answers.resolve()
  await page.getByText('Not now.').first().waitFor()
  expect(await field.inputValue()).toBe('opus')
  await page.reload()
  await objectiveRow(page, 'Choose a model', 'draft').click()
  expect(await field.inputValue()).toBe('opus')
})

test('what somebody writes of an instruction that is launched meanwhile is there to copy until it is discarded', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { mission } = await world.missionWith(['Write the docs'])
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await objectiveRow(page, 'Write the docs', 'draft').click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Instruction').press('Control+End')
  await page.keyboard.type(', and half of a sent')
  await world.startedRun(mission.objectives[0])
  await objectiveRow(page, 'Write the docs', 'launching').waitFor()
  const kept = page.getByLabel('what you had written', { exact: true })
  const text = 'Write the docs, and half of a sent'
  expect(await kept.innerText()).toBe(text)
  await page.reload()
  await objectiveRow(page, 'Write the docs', 'launching').click()
  expect(await kept.innerText()).toBe(text)
  await page.getByRole('button', { name: 'Discard it' }).click()
  await kept.waitFor({ state: 'detached' })
  expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('half of a')
})

test('a delete is confirmed anew where something has begun to run since it was listed, and says why', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { mission } = await world.missionWith(['Write the docs'])
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.getByRole('button', { name: 'More of this mission' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${mission.displayId}` })
  await dialog.getByText('It can be restored for').waitFor()
  await world.startedRun(mission.objectives[0])
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog
    .getByRole('alert')
    .getByText('Nothing was deleted: what would be has changed')
    .waitFor()
  await dialog.getByText('its run is called off').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a file is attached by dropping it, and by pasting it into the text', async ({
  openApp,
  scene,
}) => {
  const { mission, objectives } = await showMission(scene.world)
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await objectiveRow(page, 'Write the docs', 'draft').click()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Instruction' }).waitFor()
  await page.evaluate(`(() => {
    const carry = (name) => {
      const all = new DataTransfer()
      all.items.add(new File(['x'], name, { type: 'text/plain' }))
      return all
    }
    const drop = { bubbles: true, cancelable: true, dataTransfer: carry('dropped.txt') }
    document.querySelector('[aria-label="Attachments"]').dispatchEvent(new DragEvent('drop', drop))
    const paste = { bubbles: true, cancelable: true, clipboardData: carry('pasted.txt') }
    document.querySelector('textarea[data-action="edit"]').dispatchEvent(new ClipboardEvent('paste', paste))
  })()`)
  const names = async () => {
    const { attachments } = await scene.world.alice.call('listAttachments', {
      id: objectives[2].id,
    })
    return attachments.map(({ name }) => name).toSorted()
  }
  await expect.poll(names).toEqual(['dropped.txt', 'pasted.txt', 'sketch.png'])
  await page.getByRole('button', { name: /^Download pasted.txt/ }).waitFor()
})

test('whoever may only look sees everything, and no control', async ({ windowOf, scene }) => {
  const { mission } = await showMission(scene.world)
  const { page } = await windowOf(scene.world.vera)
  await openMission(page, scene, mission.displayId)
  await page.getByText('Keep the old cookie name').first().waitFor()
  for (const row of await page.locator('[data-objective] button[aria-expanded]').all()) {
    await row.click()
    const names = await page.locator('main').getByRole('button').allInnerTexts()
    const own = /^(Read the|Theme switch|Write the docs|Tell the)|of this minute|Download|Copy|^$/
    expect(names.filter((name) => !own.test(name.trim()))).toEqual([])
  }
  await page.keyboard.press('l')
  await page.keyboard.press('1')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByRole('textbox').count()).toBe(0)
})

test('a question that somebody else has answered says so, and keeps what was typed, to copy', async ({
  openApp,
  scene,
}) => {
  const { mission, questionId } = await showMission(scene.world)
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.keyboard.press('a')
  await page.keyboard.type('Ask the plug-in authors first.')
  await scene.world.bob.call('answerQuestion', { id: questionId, optionId: 'keep' })
  const questions = page.getByRole('region', { name: 'Questions' })
  await questions.getByText('bob').waitFor()
  await questions.getByText('Ask the plug-in authors first.').waitFor()
  await questions.getByRole('button', { name: 'Discard it' }).click()
  await questions.waitFor({ state: 'detached' })
})

describe('a long history', () => {
  test('is held in part, however far one goes back, and told without moving what is read', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith(['Count'], { title: 'Long' })
    const { agent } = await world.attachedRun(
      mission.objectives[0],
      await world.connectedRunner(project),
    )
    const numbers = Array.from({ length: 620 }, (_, index) => index + 1)
    for (const number of numbers) await agent.update({ text: `Step ${number}.` })
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    const lines = () => timeline.getByText(/^Step \d+\.$/).count()
    await timeline.getByText('Step 620.').waitFor()
    expect(await lines()).toBe(200)
    const older = timeline.getByRole('button', { name: 'Older' })
    for (const oldest of [221, 21]) {
      await older.click()
      await timeline.getByText(`Step ${oldest}.`, { exact: true }).waitFor()
      expect(await lines()).toBeLessThanOrEqual(400)
    }
    const looked = timeline.getByText('Step 221.', { exact: true })
    await looked.scrollIntoViewIfNeeded()
    const place = await looked.boundingBox()
    await agent.update({ text: 'Step 621.' })
    const waiting = timeline.getByRole('button', { name: '1 new' })
    await waiting.waitFor()
    expect(await looked.boundingBox()).toEqual(place)
    await waiting.click()
    await timeline.getByText('Step 621.').waitFor()
    expect(await lines()).toBeLessThanOrEqual(400)
  })

  test('is shown of one kind, and of one objective', async ({ openApp, scene }) => {
    const { mission, objectives } = await showMission(scene.world)
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Three places read it').waitFor()
    await timeline.getByLabel('What is shown').selectOption('questions')
    await timeline.getByText('Three places read it').waitFor({ state: 'detached' })
    await timeline.getByText('Keep the old cookie name').waitFor()
    await timeline.getByLabel('Of which objective').selectOption(objectives[0].id)
    await timeline.getByText('Nothing of this kind').waitFor()
    await timeline.getByLabel('What is shown').selectOption('')
    await timeline.getByText('Three places read it').waitFor()
    expect(await timeline.getByText('Keep the old cookie name').count()).toBe(0)
  })
})

test('what somebody hostile has written is text in every field, and asks nothing of anybody', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const evil =
    '<img src=https://evil.example/x onerror=alert(1)> **b** ![i](https://evil.example/y) [l](javascript:alert(1)) \u202Etxet'
  const { project, mission } = await world.missionWith([`${evil}\n\n${evil}`], { title: evil })
  const [objective] = mission.objectives
  const runner = await world.connectedRunner(project, { label: 'lap <b>' })
  const { agent } = await world.attachedRun(objective, runner)
  await agent.update({ text: evil })
  await agent.heartbeat({ percent: 10, note: evil })
  await world.alice.call('createArtifact', {
    id: mission.id,
    type: 'note',
    label: evil,
    contentText: evil,
    externalUrl: 'https://evil.example/z',
  })
  await world.alice.call('setSharedState', {
    id: mission.id,
    key: 'evil',
    value: { text: evil },
    expectedRevision: 0,
  })
  await agent.ask({ question: evil, options: [{ id: 'x', label: evil, description: evil }] })
  const { page, misdeeds } = await openApp()
  page.on('dialog', (dialog) => misdeeds.push(dialog.message()))
  await openMission(page, scene, mission.displayId)
  await page.locator('[data-objective] button[aria-expanded]').first().click()
  for (const part of ['Artifacts', 'Shared state']) {
    await page.locator('summary').filter({ hasText: part }).click()
  }
  await page.locator('summary').filter({ hasText: 'Read it' }).click()
  await page.getByText('⟨U+202E⟩').first().waitFor()
  expect(await page.locator('main img, main [onerror], a[href^="javascript"]').count()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain('\u202E')
  const rels = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main a[target="_blank"]')].map((link) => link.rel)`,
  )
  expect(new Set(rels)).toEqual(new Set(['noopener noreferrer nofollow']))
  expect(misdeeds).toEqual([])
})

test('leads to a question that is older than those of the page', async ({ openApp, scene }) => {
  const { asking, mission } = await showMission(scene.world)
  const { questions } = await scene.world.alice.call('listQuestions', { missionId: mission.id })
  const [oldest] = questions
  const answer = (id: string) => scene.world.alice.call('answerQuestion', { id, text: 'Yes.' })
  let last = oldest?.id ?? ''
  for (let count = 0; count < 50; count += 1) {
    await answer(last)
    await asking.agent.ask({ questionId: last })
    last = (await asking.agent.ask({ question: `And number ${count}?` })).questionId
  }
  const { page, misdeeds } = await openApp()
  await page.goto(`/w/here/o/${oldest?.displayId}?do=answer&question=${oldest?.id}`)
  const card = page.locator(`[data-question="${oldest?.id}"]`)
  await card.waitFor()
  const focused = () => page.evaluate('document.activeElement.dataset.question')
  await expect.poll(focused).toBe(oldest?.id)
  expect(misdeeds).toEqual([])
})

test('reads what of its history could not be read by itself after an outage', async ({
  openApp,
  scene,
}) => {
  const { mission } = await showMission(scene.world)
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.locator('[data-row]').first().waitFor()
  await page.context().setOffline(true)
  await page.getByText('The service is not reached. This is as of').waitFor()
  await timeline.getByLabel('What is shown').selectOption('questions')
  const problem = timeline.getByText('The service is not reached.')
  await problem.waitFor()
  await page.context().setOffline(false)
  await problem.waitFor({ state: 'detached' })
  await timeline.getByText('Keep the old cookie name').first().waitFor()
})

test('shows what happens while its history is read', async ({ openApp, scene }) => {
  const { alice } = scene.world
  const { mission, project } = await scene.world.missionWith([])
  const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
  const to = statuses.find(({ type }) => type === 'execute')
  const { page } = await openApp()
  const { promise: mayAnswer, resolve } = Promise.withResolvers<void>()
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  await page.route(
    '**/api/missions/*/events?*',
    async (route) => {
      const response = await route.fetch()
      read()
      await mayAnswer
      return route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goto(`/w/here/m/${mission.displayId}`)
  await isRead
  await alice.call('moveMission', { id: mission.id, statusId: to?.id ?? '' })
  await page.getByRole('button', { name: `Status ${to?.label}` }).waitFor()
  resolve()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline
    .getByText(to?.label ?? '', { exact: false })
    .first()
    .waitFor()
})

describe('the page of a mission', () => {
  test('takes an objective from its first word over its launch and a question to its delivery', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
    const runner = await world.connectedRunner(project, { label: 'lap-2' })
    const { page, misdeeds } = await openApp()
    await openMission(page, scene, mission.displayId)
    await page.getByText('nothing is to be done yet', { exact: false }).waitFor()

    await page.keyboard.press('o')
    await page.keyboard.type('Draw the icons\n\nTwelve of them, in `icons.svg`.')
    await page.keyboard.press('Control+Enter')
    await objectiveRow(page, 'Draw the icons', 'draft').waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('l')
    const sheet = page.getByRole('dialog', { name: /^Launch / })
    await sheet.getByLabel('Agent').waitFor()
    // other tests of this file have runners with agents of their own
    await sheet.getByLabel('Agent').selectOption('scripted')
    await sheet.getByRole('region', { name: 'Who can take it' }).getByText('lap-2').waitFor()
    await page.keyboard.press('Control+Enter')
    await sheet.waitFor({ state: 'detached' })
    await objectiveRow(page, 'Draw the icons', 'launching').waitFor()

    const lease = await runner.take()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Claimed by lap-2').waitFor()
    await runner.launching(lease)
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    await agent.update({ text: 'Eleven are drawn.' })
    await timeline.getByText('Eleven are drawn.').waitFor()
    await agent.heartbeat({ percent: 90, note: 'the last one' })
    await page.getByRole('progressbar', { name: '90 %' }).waitFor()

    const { questionId } = await agent.ask({
      question: 'Rounded or square?',
      options: [
        { id: 'round', label: 'Rounded' },
        { id: 'square', label: 'Square' },
      ],
    })
    await objectiveRow(page, 'Draw the icons', 'waits for an answer').waitFor()
    const questions = page.getByRole('region', { name: 'Questions' })
    await questions.getByText('Rounded or square?').waitFor()
    await page.keyboard.press('2')
    await questions.getByText('Answered. scripted goes on at once.').waitFor()
    expect(await agent.ask({ questionId })).toMatchObject({ answer: { optionId: 'square' } })

    await agent.deliver({ summary: 'All **twelve** are in.' })
    await objectiveRow(page, 'Draw the icons', 'complete').click()
    const delivered = page.getByRole('region', { name: 'Delivered' })
    await delivered.getByText('twelve').waitFor()
    await timeline.getByText('All twelve are in.').waitFor()
    await page.getByRole('button', { name: /^Status In review/ }).waitFor()
    expect(misdeeds).toEqual([])
  })

  test('keeps the objectives beside the timeline, however long a title is', async ({
    openApp,
    scene,
  }) => {
    const title = 'Draw every icon anew, and say in the notes which of them have changed and why'
    const { mission } = await scene.world.missionWith([title, 'Name the icons'])
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await objectiveRow(page, 'Name the icons', 'draft').click()
    const timeline = await page.getByRole('region', { name: 'Timeline' }).boundingBox()
    const row = await page.locator('[data-objective]').first().boundingBox()
    expect(Number(row?.x) + Number(row?.width)).toBeLessThan(Number(timeline?.x))
  })

  test('keeps the bar of a phone over the rows that pass under it', async ({ openApp, scene }) => {
    const { mission } = await scene.world.missionWith([
      'One',
      'Two',
      'Three',
      'Four',
      'Five',
      'Six',
    ])
    const { page } = await openApp()
    await page.setViewportSize({ width: 360, height: 640 })
    await openMission(page, scene, mission.displayId)
    await objectiveRow(page, 'Six', 'draft').waitFor()
    const hits = page.evaluate(`(() => {
      const bar = document.querySelector('nav')
      const { left, top, width, height } = bar.getBoundingClientRect()
      const at = (part) => document.elementFromPoint(left + part * width, top + height / 2)
      return [0.05, 0.15, 0.3, 0.5, 0.7, 0.9].every((part) => bar.contains(at(part)))
    })()`)
    expect(await hits).toBe(true)
  })

  test(
    verifies('status.move', 'moves it by its menu, and over what runs by who says so alone'),
    async ({ openApp, scene }) => {
      const { mission, objectives } = await showMission(scene.world)
      const { alice } = scene.world
      const { page } = await openApp()
      await openMission(page, scene, mission.displayId)
      const status = page.getByRole('button', { name: /^Status / })
      const moveTo = async (label: string) => {
        await page.keyboard.press('m')
        await page.getByRole('menuitem', { name: label }).click()
      }
      await moveTo('Blocked')
      await page.getByRole('button', { name: /^Status Blocked/ }).waitFor()
      await expect.poll(async () => (await alice.mission(mission)).phase).toBe('blocked')

      await moveTo('Done')
      const asked = page.getByRole('dialog', { name: 'Move to Done' })
      await asked.getByText(objectives[1].displayId).waitFor()
      await asked.getByRole('button', { name: 'Leave it where it is' }).click()
      await page.getByRole('button', { name: /^Status Blocked/ }).waitFor()
      expect((await alice.mission(mission)).phase).toBe('blocked')

      await moveTo('Done')
      await asked.getByRole('button', { name: 'Cancel 1 run and move' }).click()
      await status.and(page.getByRole('button', { name: /^Status Done/ })).waitFor()
      await expect.poll(async () => (await alice.mission(mission)).phase).toBe('complete')
      const { statuses } = await alice.call('listProjectStatuses', { id: mission.projectId })
      const moved = await alice.mission(mission)
      expect(statuses.map(({ id }) => id)).toContain(moved.status.id)
      expect(moved.status.label).toBe('Done')
      const events = await alice.eventsOf(mission)
      expect(events.filter(({ type }) => type === 'status_change')).toHaveLength(5)
    },
  )
})

describe('an instruction', () => {
  test('that two people write at once is the one that they choose, and neither is lost', async ({
    openApp,
    scene,
  }) => {
    const { mission, objectives } = await showMission(scene.world)
    const draft = objectives[2]
    const [mine, theirs] = [await openApp(), await openApp()]
    const edit = async ({ page }: typeof mine) => {
      await openMission(page, scene, mission.displayId)
      await page.getByRole('button', { name: 'Write the docs (draft)' }).click()
      await page.keyboard.press('e')
      const field = page.getByRole('textbox', { name: 'Instruction' })
      await field.waitFor()
      return field
    }
    const [myField, theirField] = [await edit(mine), await edit(theirs)]
    await myField.fill('Write the docs\n\nSay it in pictures.')
    await theirField.fill('Write the docs\n\nSay it in words.')
    await theirField.press('Control+Enter')
    await theirs.page.getByText('Say it in words.').waitFor()

    const conflict = mine.page.getByRole('region', { name: 'Changed by somebody else' })
    await conflict.getByText('Yours: pictures').waitFor()
    await conflict.getByText('Theirs: words').waitFor()
    expect(await myField.inputValue()).toContain('pictures')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    const instruction = async () => (await scene.world.alice.objective(draft)).instruction
    await expect.poll(instruction).toContain('pictures')
    await theirs.page.getByText('Say it in pictures.').waitFor()
    expect([...mine.misdeeds, ...theirs.misdeeds]).toEqual([])
  })

  test('that is refused as late is shown with what stands, also where no feed told of it', async ({
    openApp,
    scene,
  }) => {
    const { mission, objectives } = await showMission(scene.world)
    const draft = objectives[2]
    const { page } = await openApp()
    await page.route('**/api/feed*', (route) => route.abort())
    await page.goto(`/w/${await slugOf(scene)}/o/${draft.displayId}`)
    await page.getByRole('heading', { name: 'Objectives' }).waitFor()
    await page.keyboard.press('e')
    const field = page.getByRole('textbox', { name: 'Instruction' })
    await field.fill('Mine')
    const { alice } = scene.world
    await alice.call('updateObjective', { id: draft.id, instruction: 'Theirs' })
    await field.press('Control+Enter')
    const conflict = page.getByRole('region', { name: 'Changed by somebody else' })
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    expect(await field.inputValue()).toBe('Theirs')
    expect((await alice.objective(draft)).instruction).toBe('Theirs')
    expect(mission.displayId).toBe(draft.displayId.split('.')[0])
  })

  test('goes on top of a change to something else of its objective', async ({ openApp, scene }) => {
    const { mission, objectives } = await showMission(scene.world)
    const draft = objectives[2]
    const { alice } = scene.world
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await page.getByRole('button', { name: 'Write the docs (draft)' }).click()
    await page.keyboard.press('e')
    const field = page.getByRole('textbox', { name: 'Instruction' })
    await field.fill('Written while somebody names an agent')
    await alice.call('updateObjective', { id: draft.id, assigned_agent: 'codex' })
    await field.press('Control+Enter')
    await expect
      .poll(() => alice.objective(draft))
      .toMatchObject({
        instruction: 'Written while somebody names an agent',
        assigned_agent: 'codex',
      })
  })
})

test('what was typed and not sent is there after a reload: an instruction, an objective, an answer', async ({
  openApp,
  scene,
}) => {
  const { mission } = await showMission(scene.world)
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.route('**/api/objectives/*', (route) => route.abort())
  await page.getByRole('textbox', { name: 'An answer in your words' }).fill('Half an answer')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Objective', exact: true }).click()
  await page.getByRole('textbox', { name: 'New objective' }).fill('Half an objective')
  await page.getByRole('button', { name: 'Write the docs (draft)' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Instruction' }).fill('Half an instruction')
  await page.reload()
  await page.getByRole('button', { name: 'Write the docs (draft)' }).click()
  const values = ['Instruction', 'New objective', 'An answer in your words'].map((name) =>
    page.getByRole('textbox', { name }).inputValue(),
  )
  expect(await Promise.all(values)).toEqual([
    'Half an instruction',
    'Half an objective',
    'Half an answer',
  ])
})

test('what is to be done now follows from what was done here', async ({ openApp, scene }) => {
  const { mission } = await scene.world.missionWith([], { title: 'Nothing in it yet' })
  const { page, misdeeds } = await openApp()
  await openMission(page, scene, mission.displayId)
  const next = page.getByRole('region', { name: 'What to do now' })
  await next.getByText('nothing is to be done yet', { exact: false }).waitFor()
  await page.keyboard.press('o')
  await page.keyboard.type('Draw the icons')
  await page.keyboard.press('Control+Enter')
  await objectiveRow(page, 'Draw the icons', 'draft').waitFor()
  await expect.poll(() => next.getByText('nothing is to be done yet').count()).toBe(0)
  expect(misdeeds).toEqual([])
})

describe('the address of a mission', () => {
  test('shows nothing that is open or typed on another one', async ({ openApp, scene }) => {
    const { world } = scene
    const first = await world.missionWith(['Sow'], { title: 'Carrots of the first' })
    await world.missionWith(['Reap'], { title: 'Leeks of the second' })
    const { page, misdeeds } = await openApp()
    await openMission(page, scene, first.mission.displayId)
    await objectiveRow(page, 'Sow', 'draft').waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Words of its title or objectives').fill('leeks')
    await page.getByRole('dialog').getByText('Leeks of the second').waitFor()
    await page.keyboard.press('Enter')
    await objectiveRow(page, 'Reap', 'draft').waitFor()
    await page.keyboard.press('o')
    await page.getByLabel('New objective').fill('Only of the second')
    await page.goBack()
    await objectiveRow(page, 'Sow', 'draft').waitFor()
    expect(await page.getByLabel('New objective').count()).toBe(0)
    await page.goForward()
    await objectiveRow(page, 'Reap', 'draft').waitFor()
    expect(await page.getByLabel('New objective').inputValue()).toBe('Only of the second')
    expect(misdeeds).toEqual([])
  })

  test('says of an objective that the mission does not have what became of it', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { mission } = await world.missionWith(['Stays', 'Goes'])
    const id = mission.objectives[1].displayId
    await world.alice.call('deleteObjectives', { objectiveIds: [id], confirm: true, running: [] })
    const { page, misdeeds } = await openApp()
    await page.goto(`/w/${await slugOf(scene)}/o/${id}`)
    await page.getByText('This is not here, or not yours.').waitFor()
    await objectiveRow(page, 'Stays', 'draft').waitFor()
    await world.alice.call('restoreObjective', { id })
    await objectiveRow(page, 'Goes', 'draft').waitFor()
    await expect.poll(() => page.getByText('This is not here').count()).toBe(0)
    expect(misdeeds).toEqual([])
  })
})
