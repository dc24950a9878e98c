import { describe } from 'vitest'
import { commitInBoth } from './other-resources.ts'

describe('runs that commit in a second resource', () => {
  commitInBoth('have a branch and a worktree of it', { objectives: 1 })
})
