import { describe } from 'vitest'
import { keepsTheNextFromNothing, startAtOnce, moments } from '../testing/repository-races.ts'

describe('two runners of one machine', () => {
  startAtOnce(8)
})

describe('a supervisor that is killed', () => {
  keepsTheNextFromNothing(moments)
})
