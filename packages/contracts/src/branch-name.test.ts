import { expect, test } from 'vitest'
import { BranchName } from './ids.ts'

test.each(['main', 'release/2.1', 'greet-the-world-1', 'greet-the-world-1-k7qd', 'ü/ñ'])(
  '%j is a branch name',
  (name) => {
    expect(BranchName.safeParse(name).success).toBe(true)
  },
)

test.each([
  '',
  '-u',
  '/main',
  'main/',
  '.main',
  'main.',
  'a..b',
  'a//b',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a@{1}',
  'a b',
  'a\nb',
  'a:b',
  '+refs/heads/main:refs/heads/feature',
  'a*',
  'a?',
  'a[b',
  'a~1',
  'a^',
  'a\\b',
  '@',
  'HEAD',
])('%j is no branch name', (name) => {
  expect(BranchName.safeParse(name).success).toBe(false)
})
