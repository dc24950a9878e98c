import { openBrowser } from '@svc/testing/browser'
import { useTestDatabase } from '@svc/testing/database'
import { afterAll, expect, test } from 'vitest'
import { describeSteps, search } from '../model/search.ts'
import { openTheatre } from '../model/stage.ts'
import { openNeedsBeside } from './needs-walk.ts'

const { connectionString } = await useTestDatabase()
const theatre = await openTheatre(connectionString)
const browser = await openBrowser()
afterAll(async () => {
  await browser.close()
  await theatre[Symbol.asyncDispose]()
})

const seed = 20_261_103

test(
  'whatever is done, an open page shows all that waits and nothing else, mine and everybody’s',
  { timeout: 600_000 },
  async ({ task }) => {
    task.meta.drivesBrowser = true
    const { alice } = theatre
    await using beside = await openNeedsBeside(theatre, {
      databaseUrl: connectionString,
      browser,
      alice,
    })
    const found = await search(theatre, { seed, sequences: 15, steps: 30, shrinks: false, beside })
    const { tally } = beside
    const { counterexample, operations, sequences } = found
    const report =
      counterexample &&
      `${counterexample.violation.message}\n${describeSteps(counterexample.steps)}`
    expect(report).toBeUndefined()
    process.stdout.write(
      `seed ${seed}: ${operations} operations in ${sequences} sequences, ${tally.looks} looks, ${tally.came} rows came and went: 0 left over, 0 missing\n`,
    )
  },
)
