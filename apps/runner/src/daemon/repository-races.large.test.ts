import { describe } from 'vitest'
import { keepsTheNextFromNothing, startAtOnce, moments } from '../testing/repository-races.ts'

const seconds = 120_000

describe('two runners of one machine', { timeout: seconds }, () => {
  startAtOnce(8)
})

describe('a supervisor that is killed', { timeout: seconds }, () => {
  keepsTheNextFromNothing(moments.slice(1))
})
