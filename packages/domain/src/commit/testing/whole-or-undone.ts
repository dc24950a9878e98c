import { type Mishap, openSpoilingProxy } from '@svc/testing/mishaps'
import { personWith } from '../../testing/people.ts'
import { test as base } from '../../testing/world.ts'
import { expect } from 'vitest'

const test = base.extend(
  'spoiled',
  { scope: 'file' },
  async ({ world, database }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const proxy = opened.use(await openSpoilingProxy(database.connectionString))
    const order = { databaseUrl: proxy.url, poolSize: 1, notify: false }
    // its only connection carries whatever the call before left behind
    const domain = opened.use(await world.openProcess(order))
    return { world, proxy, alice: personWith(domain, world.alice.token) }
  },
)

const unavailable = { code: 'unavailable' }

/** What each of these does to any one statement of a launch. */
export function wholeOrUndone(which: readonly Mishap[]) {
  test.for(which)(
    'a launch of which any one statement is %s is whole or undone, says so, and the next one finds the way free',
    async (mishap, { spoiled: { world, proxy, alice } }) => {
      const launched = async (statement: number) => {
        const { mission } = await world.missionWith(['a'])
        const launch = () => alice.launch(mission.objectives[0])
        let wasSpoiled = false
        const written = await world.rowsWrittenBy(async () => {
          const spoiling = proxy.spoil(statement, mishap)
          try {
            await launch()
          } finally {
            wasSpoiled = await spoiling.stop()
          }
        })
        await launch()
        expect(await world.alice.requestsOf(mission)).toHaveLength(1)
        return { ...written, wasSpoiled }
      }
      const whole = await launched(Infinity)
      expect(whole).toMatchObject({ refusal: undefined, wasSpoiled: false })
      let spoiled = 0
      for (let statement = 1; ; statement += 1) {
        const { rows, refusal, wasSpoiled } = await launched(statement)
        if (!wasSpoiled) break
        spoiled += 1
        // where the answer to its commit is lost, nobody knows
        const isDone = refusal === undefined || (mishap === 'unanswered' && rows.length > 0)
        expect({ statement, rows, refusal: refusal ?? unavailable }).toEqual({
          statement,
          rows: isDone ? whole.rows : [],
          refusal: expect.objectContaining(unavailable),
        })
      }
      expect(spoiled).toBeGreaterThan(3)
    },
  )
}
