import { describe } from 'vitest'
import {
  namesOfNone,
  isUsedForNothing,
  badFields,
  failsBeforeUse,
  badAnswers,
  endsNoRunner,
} from '../testing/hostile-service.ts'

const seconds = 60_000

describe('an order of a hostile service', { timeout: seconds }, () => {
  isUsedForNothing(namesOfNone.slice(1))

  failsBeforeUse(badFields.slice(2))

  endsNoRunner(badAnswers.slice(1))
})
