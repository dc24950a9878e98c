import { afterAll, describe, expect } from 'vitest'
import { actionsOfApp } from './actions-of-app.ts'
import { questions } from './fault-exceptions.ts'
import { befall } from './fault-run.ts'
import { otherWays } from './fault-ways.ts'
import { newTally } from './faults.ts'
import { test } from './scene.ts'

const all = actionsOfApp()
// the first steps are there as long as nothing was delivered in the workspace, and nothing is once it was left
const first = 'parts/first-run createMission'
const last = 'features/access leaveWorkspace'
const others = all.filter((one) => ![first, last, ...questions].includes(one))

const tally = newTally()
afterAll(() => {
  // also of what is tried a second time
  expect([tally.twice, tally.lost]).toEqual([0, 0])
  process.stdout.write(
    `${tally.twice} of ${tally.befallen} calls done twice, ${tally.lost} of ${tally.typed} typed texts lost\n`,
  )
})

const what =
  'whatever befalls a call, what was typed is there, the page says so, and it is done once:'

// a key that is pressed before its page listens is not heard, and nothing is sent then
describe(what, { retry: 1 }, () => {
  test.for([first, ...others, ...Object.keys(otherWays), last])(
    '%s',
    (action, { openApp, scene }) => befall(action, { openApp, scene, tally }),
  )
})
