import { describe } from 'vitest'
import { keepsTheNextFromNothing, moments, startAtOnce } from '../testing/repository-races.ts'

const seconds = 120_000

describe('two runners of one machine', { timeout: seconds }, () => {
  startAtOnce(4)
})

describe('a supervisor that is killed', { timeout: seconds }, () => {
  keepsTheNextFromNothing(moments.slice(0, 1))
})
