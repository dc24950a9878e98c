import { describe } from 'vitest'
import { endsInReview } from './standalone-once.ts'

describe('the standalone app', () => {
  endsInReview('with --once ends in review, exits 0 and leaves no process', { starts: 1 })
})
