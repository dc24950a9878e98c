import { verifies } from '@svc/testing/verifies'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { countStatusChanged } from './board-scene.ts'
import { cardIn, columnOf, focusedCard, openBoard } from './open-board.ts'
import { test } from './scene.ts'

type Ways = Readonly<Record<string, (page: Page) => Promise<unknown>>>

describe('a board', () => {
  const byMouse: Ways = {
    'dragging its card by the mouse': async (page) => {
      await cardIn(page, 'Backlog', 'Dark icons').hover()
      await page.locator('[data-card][draggable="true"]').waitFor()
      await cardIn(page, 'Backlog', 'Dark icons').dragTo(columnOf(page, 'In progress'))
    },
  }
  const otherwise: Ways = {
    'a key': async (page) => {
      await cardIn(page, 'Backlog', 'Dark icons').getByRole('link').focus()
      await page.keyboard.press('Shift+ArrowRight')
    },
    'its menu': async (page) => {
      const card = cardIn(page, 'Backlog', 'Dark icons')
      await card.hover()
      await card.getByRole('button', { name: /^What to do with / }).click()
      await page.getByRole('menuitem', { name: 'Move to …' }).click()
      const dialog = page.getByRole('dialog', { name: /^Move .* to$/ })
      await dialog.getByRole('button', { name: 'In progress' }).click()
    },
  }

  const isMoved = (ways: Ways, options: { tags?: 'large' } = {}) =>
    test.for(Object.entries(ways))(
      verifies(
        ['status.board-drag', 'status.move'],
        'moves a mission by %s: once, and told of by one event',
      ),
      options,
      async ([, move], { openApp, scene }) => {
        const { world } = scene
        const { project, mission } = await world.missionWith(['Draw them'], { title: 'Dark icons' })
        const { page, misdeeds } = await openApp()
        await openBoard(page, scene, project)
        expect(await countStatusChanged(world, project.id)).toBe(0)
        await move(page)
        await cardIn(page, 'In progress', 'Dark icons').waitFor()
        await expect
          .poll(async () => (await world.alice.mission(mission)).status.label)
          .toBe('In progress')
        expect(await cardIn(page, 'Backlog', 'Dark icons').count()).toBe(0)
        await columnOf(page, 'Backlog').getByText('0', { exact: true }).waitFor()
        await page.reload()
        await cardIn(page, 'In progress', 'Dark icons').waitFor()
        expect(await countStatusChanged(world, project.id)).toBe(1)
        expect(misdeeds).toEqual([])
      },
    )

  isMoved(byMouse)
  isMoved(otherwise, { tags: 'large' })

  test(
    'says of a card that is closed here what it says after a reload',
    { tags: 'large' },
    async ({ openApp, scene }) => {
      const { world } = scene
      const { project, mission } = await world.missionWith(['Draw them'], { title: 'Dark icons' })
      const runner = await world.connectedRunner(project)
      await world.alice.launch(mission.objectives[0])
      await runner.failed(await runner.take())
      const { page, misdeeds } = await openApp()
      await openBoard(page, scene, project)
      await cardIn(page, 'Backlog', 'Dark icons').getByText('stopped').waitFor()
      await cardIn(page, 'Backlog', 'Dark icons').getByRole('link').focus()
      await page.keyboard.press('m')
      await page
        .getByRole('dialog', { name: /^Move .* to$/ })
        .getByRole('button', { name: 'Done' })
        .click()
      await cardIn(page, 'Done', 'Dark icons').waitFor()
      await expect
        .poll(() => cardIn(page, 'Done', 'Dark icons').getByText('stopped').count())
        .toBe(0)
      expect(misdeeds).toEqual([])
    },
  )

  test(
    'takes a mission from its first word to its launch, and says what it is at',
    { tags: 'large' },
    async ({ openApp, scene }) => {
      const { world } = scene
      const project = await world.projectWith()
      const runner = await world.connectedRunner(project, { label: 'lap-2' })
      const { page, misdeeds } = await openApp()
      await openBoard(page, scene, project)
      await page.keyboard.press('c')
      await page.getByRole('dialog', { name: 'New mission' }).waitFor()
      await page.keyboard.type('Dark icons')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Draw the icons')
      await page.reload()
      await page.getByRole('button', { name: 'New mission' }).click()
      const dialog = page.getByRole('dialog', { name: 'New mission' })
      expect(await dialog.getByLabel('Title').inputValue()).toBe('Dark icons')
      await dialog.getByLabel('Priority').selectOption('high')
      await dialog.getByLabel('What is to be done first').press('Control+Enter')
      const card = cardIn(page, 'Backlog', 'Dark icons')
      await card.getByText('high').waitFor()
      await card.getByText('0/1').waitFor()

      await card.getByRole('link').focus()
      await page.keyboard.press('l')
      const sheet = page.getByRole('dialog', { name: /^Launch / })
      await sheet.getByRole('region', { name: 'Who can take it' }).getByText('lap-2').waitFor()
      await page.keyboard.press('Control+Enter')
      await card.getByText('queued').waitFor()
      const lease = await runner.take()
      await runner.launching(lease)
      await runner.launched(lease)
      const agent = runner.agent(lease)
      await agent.attach()
      const running = cardIn(page, 'In progress', 'Dark icons')
      await running.getByText('running').waitFor()
      await agent.heartbeat({ percent: 60 })
      await running.getByText('60 %').waitFor()
      await agent.ask({ question: 'Rounded or square?' })
      await running.getByText('Rounded or square?').waitFor()
      expect(misdeeds).toEqual([])
    },
  )

  test(
    'closes a mission over what runs by who says so alone',
    { tags: 'large' },
    async ({ openApp, scene }) => {
      const { world } = scene
      const { project, mission } = await world.missionWith(['Draw them'], { title: 'Dark icons' })
      await world.attachedRun(mission.objectives[0])
      const { page } = await openApp()
      await openBoard(page, scene, project)
      const toDone = async () => {
        await cardIn(page, 'In progress', 'Dark icons').getByRole('link').focus()
        await page.keyboard.press('m')
        const dialog = page.getByRole('dialog', { name: /^Move .* to$/ })
        await dialog.getByRole('button', { name: 'Done' }).click()
      }
      await toDone()
      const asked = page.getByRole('dialog', { name: /to Done$/ })
      await asked.getByText(mission.objectives[0].displayId).waitFor()
      await asked.getByRole('button', { name: 'Leave it where it is' }).click()
      await cardIn(page, 'In progress', 'Dark icons').waitFor()
      expect((await world.alice.mission(mission)).phase).toBe('execute')

      await toDone()
      await asked.getByRole('button', { name: 'Cancel 1 run and move' }).click()
      await cardIn(page, 'Done', 'Dark icons').waitFor()
      await expect.poll(async () => (await world.alice.mission(mission)).phase).toBe('complete')
      await expect.poll(() => focusedCard(page)).toBe('Dark icons')
    },
  )
})
