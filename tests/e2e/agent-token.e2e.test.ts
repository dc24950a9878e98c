import { describe } from 'vitest'
import { worksWithTokenOfItsRun } from './agent-token.ts'

describe('an agent whose runner was started from a login', () => {
  worksWithTokenOfItsRun('recorder')
})
