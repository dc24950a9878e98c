import { describe } from 'vitest'
import {
  namesOfNone,
  isUsedForNothing,
  badFields,
  failsBeforeUse,
  badAnswers,
  endsNoRunner,
} from '../testing/hostile-service.ts'

describe('an order of a hostile service', () => {
  isUsedForNothing(namesOfNone.slice(1))

  failsBeforeUse(badFields.slice(2))

  endsNoRunner(badAnswers.slice(1))
})
