import { randomInt } from 'node:crypto'
import { createTestDatabase } from '@svc/testing/database'
import { openWorld } from '@svc/testing/open-world'
import { test as base, expect } from 'vitest'
import { farReachingNames } from './crash/operations.ts'
import {
  type Became,
  type Crashing,
  type Whole,
  callWhole,
  crashAt,
  openCrashing,
} from './crash/points.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('crashing', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const { connectionString } = opened.use(await createTestDatabase())
  const world = opened.use(await openWorld(connectionString))
  return opened.use(await openCrashing(world, connectionString))
})

/** One point in so many, from another one in each run; `npm run hunt crash` takes them all. */
const step = 40
const offset = randomInt(step)

test.for(farReachingNames)(
  '%s: wherever its connection breaks, sent again it is done once and whole',
  { timeout: 240_000 },
  async (name, { crashing, annotate }) => {
    await annotate(`one point in ${step}, from number ${offset}, and all of the write that commits`)
    const whole = await callWhole(crashing, name)
    const commits = whole.points.at(-1)?.write
    const became = new Set<Became>()
    for (const [index, point] of whole.points.slice(0, -1).entries()) {
      const isTaken = index % step === offset || point.write === commits
      if (isTaken) became.add(await crashAt(crashing, whole, [point]))
    }
    expect(became).toContain('undone')
    expect(await breakBehind(crashing, whole)).toBe('done')
  },
)

/** Behind its commit. The job queue reads its queues once a minute by the same connection: then it is counted anew. */
async function breakBehind(crashing: Crashing, whole: Whole): Promise<Became> {
  const became = await crashAt(crashing, whole, whole.points.slice(-1))
  return became === 'done' ? became : breakBehind(crashing, await callWhole(crashing, whole.name))
}
