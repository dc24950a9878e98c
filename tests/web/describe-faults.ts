import { afterAll, describe, expect } from 'vitest'
import { actionsOfApp } from './actions-of-app.ts'
import { questions } from './fault-exceptions.ts'
import { befall } from './fault-run.ts'
import { otherWays } from './fault-ways.ts'
import { newTally } from './faults.ts'
import { test } from './scene.ts'

const operated =
  /^(?:features\/(?:access|project-settings|queues|run|runners|usage|webhooks)|parts\/(?:project|statuses)|shell) /

// the first steps are there as long as nothing was delivered in the workspace, and nothing is once it was left
const first = 'parts/first-run createMission'
const last = 'features/access leaveWorkspace'

/** Each call of one half of the app, which take a scene of their own each and as long as each other. */
export function describeFaults(half: 'operating' | 'missions'): void {
  const all = [...actionsOfApp(), ...Object.keys(otherWays)].filter(
    (one) => operated.test(one) === (half === 'operating') && !questions.includes(one),
  )
  const placeOf = (one: string) => (one === first ? -1 : Number(one === last))
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
    test.for(all.toSorted((one, other) => placeOf(one) - placeOf(other)))(
      '%s',
      (action, { openApp, scene }) => befall(action, { openApp, scene, tally }),
    )
  })
}
