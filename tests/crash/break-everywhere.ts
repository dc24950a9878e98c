import { randomInt } from 'node:crypto'
import { test as base } from '@svc/domain/testing/world'
import { expect } from 'vitest'
import type { OperationName } from './operations.ts'
import {
  type Became,
  type Crashing,
  type Whole,
  callWhole,
  crashAt,
  openCrashing,
} from './points.ts'

const test = base.extend(
  'crashing',
  { scope: 'file' },
  async ({ world, database }, { onCleanup }) => {
    const crashing = await openCrashing(world, database.connectionString)
    onCleanup(() => crashing[Symbol.asyncDispose]())
    return crashing
  },
)

/** One point in so many, from another one in each run; `npm run soak crash` takes them all. */
const step = 40
const offset = randomInt(step)

/** A test of each of these calls. */
export function testBroken(names: readonly OperationName[]): void {
  test.for(names)(
    '%s: wherever its connection breaks, sent again it is done once and whole',
    async (name, { crashing, annotate }) => {
      await annotate(
        `one point in ${step}, from number ${offset}, and all of the write that commits`,
      )
      await breakEverywhere(crashing, name)
    },
  )
}

/** Breaks the call at these points, at all of the write that commits, and behind it. */
async function breakEverywhere(crashing: Crashing, name: OperationName): Promise<void> {
  const whole = await callWhole(crashing, name)
  const commits = whole.points.at(-1)?.write
  const became = new Set<Became>()
  for (const [index, point] of whole.points.slice(0, -1).entries()) {
    const isTaken = index % step === offset || point.write === commits
    if (isTaken) became.add(await crashAt(crashing, whole, [point]))
  }
  expect(became).toContain('undone')
  expect(await breakBehind(crashing, whole)).toBe('done')
}

/** Behind its commit. The job queue reads its queues once a minute by the same connection: then it is counted anew. */
async function breakBehind(crashing: Crashing, whole: Whole): Promise<Became> {
  const became = await crashAt(crashing, whole, whole.points.slice(-1))
  return became === 'done' ? became : breakBehind(crashing, await callWhole(crashing, whole.name))
}
