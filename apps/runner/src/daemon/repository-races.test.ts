import { describe } from 'vitest'
import { keepsTheNextFromNothing, moments, startAtOnce } from '../testing/repository-races.ts'

describe('two runners of one machine', () => {
  startAtOnce(4)
})

describe('a supervisor that is killed', () => {
  keepsTheNextFromNothing(moments.slice(0, 1))
})
