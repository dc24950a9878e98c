import { describe } from 'vitest'
import { judgeDoneMost, judgeLaunchPath } from './done-most.ts'
import { judgeDoneSeldom } from './done-seldom.ts'
import { type Dose, testWith } from './filled-test.ts'

/** What is judged: each has all that those before it have. */
type Share = 'the launch path' | 'what is done most' | 'all'

export function describeFlat({ share, ...dose }: Dose & { share: Share }): void {
  const test = testWith(dose)
  describe(`with ${dose.missions} missions behind it, every statement costs what it finds:`, () => {
    judgeLaunchPath(test, share === 'all' ? ['one', 'two', 'three'] : ['one', 'two'])
    if (share !== 'the launch path') judgeDoneMost(test)
    if (share === 'all') judgeDoneSeldom(test)
  })
}
