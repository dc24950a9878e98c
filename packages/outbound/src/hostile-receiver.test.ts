import { describe } from 'vitest'
import { hostile, isFirstOfItsKind, isMet } from './testing/hostile-receivers.ts'

describe('a receiver that', () => {
  isMet(hostile.filter(isFirstOfItsKind))
})
