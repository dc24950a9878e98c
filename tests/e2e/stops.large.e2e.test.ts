import { describe } from 'vitest'
import { kinds, leavesNothingUnanswered } from './stops.ts'

describe('SIGTERM, while clients post over kept connections', () => {
  leavesNothingUnanswered(kinds)
})
