import { expect, test } from 'vitest'
import { calledBy } from './svc-caller.ts'

test('each command of a line is called as svc is there, and nothing else of it is another', () => {
  const line = 'svc login --url https://svc.example.com --workspace svc && svc runner start'
  expect(calledBy('installed', line)).toBe(line)
  expect(calledBy('clone', line)).toBe(
    'npm run -s svc -- login --url https://svc.example.com --workspace svc && npm run -s svc -- runner start',
  )
  expect(calledBy('clone', 'git diff a..b -- svc x')).toBe('git diff a..b -- svc x')
  expect(calledBy('installed', line, 'acme')).toBe(
    line.replace('&& svc', '&& svc --workspace acme'),
  )
})
