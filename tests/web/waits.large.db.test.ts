import { FailureCode } from '@svc/contracts/failure-code'
import { NeedKind } from '@svc/contracts/need'
import type { Objective } from '@svc/contracts/objective'
import { PauseReason, entryReasons } from '@svc/contracts/run-queue'
import { ReleaseReason } from '@svc/contracts/runner'
import { DisabledReason } from '@svc/contracts/webhook-subscription'
import type { World } from '@svc/domain/testing/open-world'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { makeWebhook } from './keyboard-webhooks.ts'
import { test } from './scene.ts'

/** Everything that may wait for somebody, once for each reason that it may have. */
async function makeAll(world: World): Promise<number> {
  const { alice, domain } = world
  const { db } = domain
  const { project } = await world.missionWith([])
  const runner = await world.connectedRunner(project)
  const objectives = async (names: readonly string[]): Promise<Objective[]> => {
    const setUp = { project, allowParallelObjectives: true }
    const { mission } = await world.missionWith(names, setUp)
    return [...mission.objectives]
  }
  const one = async (name: string) => {
    const [made] = await objectives([name])
    if (made === undefined) throw new Error('a mission has the objectives that it was made with')
    return made
  }

  const options = [{ id: 'keep', label: 'Keep it' }]
  for (const asked of [{ options }, {}]) {
    const { agent } = await world.attachedRun(await one('asks'), runner)
    await agent.ask({ question: 'Keep it?', ...asked })
  }
  const delivered = await world.attachedRun(await one('delivers'), runner)
  await delivered.agent.deliver()
  const { missionId } = await one('moved by hand')
  await alice.call('moveMission', { id: missionId, statusId: 'review' })

  const refusal = JSON.stringify({ code: 'no_agent', message: 'no agent is named for it' })
  for (const why of [null, refusal]) {
    const { id } = await one('awaits approval')
    await alice.call('submitObjective', { id })
    await sql`update objectives set state = 'awaiting_approval', need = 'awaiting_approval',
                     need_since = app.now(), approval_refusal = ${why}::jsonb where id = ${id}`.execute(
      db,
    )
  }

  for (const code of FailureCode.options) {
    await alice.launch(await one(`fails by ${code}`))
    await runner.failed(await runner.take(), { code })
  }
  for (const outcome of ['exited', 'lost', 'question_expired']) {
    const objective = await one(`stops as ${outcome}`)
    const { lease } = await world.attachedRun(objective, runner)
    await runner.exited(lease)
    await sql`update objectives set last_outcome = ${outcome} where id = ${objective.id}`.execute(
      db,
    )
  }

  const holds = Object.entries(entryReasons).filter(([, { state }]) => state === 'held')
  const pauses = [...PauseReason.options, null]
  for (const [index] of [...holds, ...pauses].entries()) {
    // of a project of its own, since a project has twenty queues at most
    const { project: own, mission } = await world.missionWith(['queued'])
    const { queue } = await alice.call('createRunQueue', { id: own.id, name: 'Another' })
    const objectiveId = mission.objectives[0].id
    await alice.call('updateObjective', { id: objectiveId, assigned_agent: 'scripted' })
    const { entry } = await alice.call('queueObjective', { objectiveId, queue: queue.id })
    const [reason] = holds[index] ?? []
    if (reason === undefined) {
      await alice.call('pauseRunQueue', { id: queue.id })
      const by = pauses[index - holds.length] ?? null
      // a person has paused it, or something else has
      await sql`update run_queues set pause_reason = ${by}, paused_by = case when ${by}::text is null then paused_by end
                 where id = ${queue.id}`.execute(db)
    } else {
      await sql`update run_queue_entries set state = 'held', reason = ${reason}, held_since = app.now()
                 where id = ${entry.id}`.execute(db)
    }
  }

  const untaken = await alice.launch(await one('not taken'), { agent: 'rare' })
  await sql`update execution_requests set run_after = app.now() - interval '1 hour'
             where id = ${untaken.executionRequest.id}`.execute(db)
  const open = () => Promise.resolve()
  for (const reason of DisabledReason.options) {
    const { id } = await makeWebhook({ world, open })
    await alice.call('disableWebhook', { id })
    await sql`update webhook_subscriptions set disabled_reason = ${reason} where id = ${id}`.execute(
      db,
    )
  }
  const token = { label: 'laptop', preset: 'runner', expiresInDays: 30 } as const
  await alice.call('createUserToken', token)
  await sql`update user_tokens set created_at = created_at - interval '29 days',
                   expires_at = app.now() + interval '1 day' where label = 'laptop'`.execute(db)
  return 2 + 2 + 2 + FailureCode.options.length + 3 + holds.length + pauses.length + 1 + 2 + 1
}

interface ShownRow {
  kind: string
  /** What stands below its name. */
  said: string
  /** Buttons and links there. */
  ways: number
}

function rowsOf(page: Page): Promise<ShownRow[]> {
  return page.locator('[data-need]').evaluateAll((rows) =>
    rows.map((row) => {
      const parts = [...(row.querySelector('article')?.children ?? [])].slice(1)
      return {
        kind: row.getAttribute('data-need')?.split('/')[0] ?? '',
        said: parts.map((part) => part.textContent).join(' '),
        ways: parts.flatMap((part) => [...part.querySelectorAll('button, a[href]')]).length,
      }
    }),
  )
}

test('whatever waits for somebody says why in a sentence, and has a way to end it', async ({
  openApp,
  scene,
  goTo,
}) => {
  const count = await makeAll(scene.world)
  const { page, misdeeds } = await openApp()
  await goTo(page, '?whose=all')
  await page.locator('[data-need]').first().waitFor()
  const more = page.getByRole('button', { name: 'More', exact: true })
  while ((await more.count()) > 0) {
    const before = await page.locator('[data-need]').count()
    await more.click()
    await expect.poll(() => page.locator('[data-need]').count()).toBeGreaterThan(before)
  }
  await expect.poll(() => page.locator('[data-need]').count()).toBeGreaterThanOrEqual(count)
  const rows = await rowsOf(page)
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(NeedKind.options))
  const silent = rows.filter(({ said }) => !/[A-Z][^.?]+[.?]/.test(said))
  const stuck = rows.filter(({ ways }) => ways === 0)
  expect([silent, stuck]).toEqual([[], []])
  process.stdout.write(
    `${rows.length} of ${rows.length} things that wait say why, and what ends it\n`,
  )
  expect(misdeeds).toEqual([])
})

test('a run that a runner gave back says why it waits, and what ends that', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { world } = scene
  const { page } = await openApp()
  const told: string[] = []
  for (const reason of ReleaseReason.options) {
    const { project, mission } = await world.missionWith([`Given back by ${reason}`])
    const runner = await world.connectedRunner(project)
    await world.alice.launch(mission.objectives[0])
    const lease = await runner.take()
    await runner.released(lease, { reason })
    await goTo(page, `/runs/${lease.id}`)
    const sentences = async () =>
      (await page.locator('main p span').allInnerTexts())
        .map((said) => said.trim())
        .filter((said) => /^[A-Z].+\.$/.test(said))
    await expect.poll(sentences, { message: reason }).not.toEqual([])
    told.push((await sentences()).join(' '))
    // it waits for a runner by itself; a person may end that
    await page.getByRole('button', { name: 'Cancel …' }).waitFor()
  }
  // each by a sentence of its own
  expect(told.toSorted()).toEqual([...new Set(told)].toSorted())
})
