import { describe } from 'vitest'
import { judgeDoneMost } from './done-most.ts'
import { judgeDoneSeldom } from './done-seldom.ts'
import { type Dose, testWith } from './filled-test.ts'

/** `isWhole`: everything that is done, and not what is done most alone. */
export function describeFlat({ isWhole, ...dose }: Dose & { isWhole: boolean }): void {
  const test = testWith(dose)
  describe(`with ${dose.missions} missions behind it, every statement costs what it finds:`, () => {
    judgeDoneMost(test, isWhole ? ['one', 'two', 'three'] : ['one', 'two'])
    if (isWhole) judgeDoneSeldom(test)
  })
}
