import { describe } from 'vitest'
import { asksAgain, failureNames, waitsOnlySoLong } from './testing/describe-composer.ts'

describe('a composer that', () => {
  asksAgain(failureNames)
  waitsOnlySoLong(['never answers'])
})
