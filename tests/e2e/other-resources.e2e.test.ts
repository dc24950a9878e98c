import { describe } from 'vitest'
import { commitInBoth } from './other-resources.ts'

describe('runs that commit in a second resource', () => {
  commitInBoth('of one mission side by side, each have a branch and a worktree of it', {
    missions: 1,
  })
})
