import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { showMission } from './mission-scene.ts'
import { objectiveRow, openMission } from './open-mission.ts'
import { slugOf, test } from './scene.ts'

describe('the page of a mission', () => {
  test(
    'takes an objective from its first word over its launch and a question to its delivery',
    { tags: 'large' },
    async ({ openApp, scene }) => {
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
      expect(await sheet.getByLabel('Agent').inputValue()).toBe('scripted')
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
    },
  )

  test(
    'keeps the objectives beside the timeline, however long a title is',
    { tags: 'large' },
    async ({ openApp, scene }) => {
      const title = 'Draw every icon anew, and say in the notes which of them have changed and why'
      const { mission } = await scene.world.missionWith([title, 'Name the icons'])
      const { page } = await openApp()
      await openMission(page, scene, mission.displayId)
      await objectiveRow(page, 'Name the icons', 'draft').click()
      const timeline = await page.getByRole('region', { name: 'Timeline' }).boundingBox()
      const row = await page.locator('[data-objective]').first().boundingBox()
      expect(Number(row?.x) + Number(row?.width)).toBeLessThan(Number(timeline?.x))
    },
  )

  test(
    'keeps the bar of a phone over the rows that pass under it',
    { tags: 'large' },
    async ({ openApp, scene }) => {
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
    },
  )

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
  test(
    'that two people write at once is the one that they choose, and neither is lost',
    { tags: 'large' },
    async ({ openApp, scene }) => {
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
    },
  )

  test(
    'that is refused as late is shown with what stands, also where no feed told of it',
    { tags: 'large' },
    async ({ openApp, scene }) => {
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
    },
  )

  test(
    'goes on top of a change to something else of its objective',
    { tags: 'large' },
    async ({ openApp, scene }) => {
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
    },
  )
})

test(
  'what was typed and not sent is there after a reload: an instruction, an objective, an answer',
  { tags: 'large' },
  async ({ openApp, scene }) => {
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
  },
)

test(
  'what is to be done now follows from what was done here',
  { tags: 'large' },
  async ({ openApp, scene }) => {
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
  },
)

describe('the address of a mission', () => {
  test(
    'shows nothing that is open or typed on another one',
    { tags: 'large' },
    async ({ openApp, scene }) => {
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
    },
  )

  test(
    'says of an objective that the mission does not have what became of it',
    { tags: 'large' },
    async ({ openApp, scene }) => {
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
    },
  )
})
