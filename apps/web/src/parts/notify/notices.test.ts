import type { Need } from '@svc/contracts/need'
import { expect, test } from 'vitest'
import { type Cause, causesIn, noticesOf } from './notices.ts'

const since = '2026-01-02T03:04:05.000Z'
const of = {
  since,
  mine: true,
  project: { id: 'p', slug: 'web' },
  mission: { id: 'm', displayId: 'web:12', title: 'Themes' },
  objective: { id: 'o', displayId: 'web:12.k7qd', title: 'Theme switch' },
}
// as far as notices look at them
const question = (text: string, more: object = {}) =>
  ({
    ...of,
    kind: 'question',
    id: 'q',
    question: { question: text, agentIdentifier: 'claude' },
    runner: null,
    ...more,
  }) as unknown as Need
const delivery = {
  id: 'd',
  createdAt: since,
  files: 2,
  additions: 3,
  deletions: 1,
  checks: 'passed',
  humanActions: 0,
}
const review = (more: object = {}) =>
  ({ ...of, kind: 'review', id: 'm', delivery, ...more }) as unknown as Need

test('one is notified of questions and deliveries of their own, and of nothing else', () => {
  const stopped = { ...of, kind: 'stopped_run', id: 'o', run: null, reason: '' } as unknown as Need
  const causes = causesIn([
    question('Keep **it**?'),
    question('Not mine?', { mine: false }),
    review(),
    review({ delivery: null }),
    stopped,
  ])
  expect(causes.map(({ key, title, body, path }) => [key, title, body, path])).toEqual([
    ['question/q', 'web:12.k7qd asks', 'Keep it?', '/o/web:12.k7qd'],
    [
      'review/m/d',
      'web:12 is delivered',
      'Themes · 2 files +3 −1 · checks passed',
      '/m/web:12/review',
    ],
  ])
})

test('what others write is a short line that hides nothing', () => {
  const evil = `\u202Etxt.exe\n\n\u001B[31m<b>bold</b> ${'x'.repeat(10_000)}`
  const [cause] = causesIn([question(evil)])
  expect(cause?.body.startsWith('⟨U+202E⟩txt.exe ␛[31m<b>bold</b> xxx')).toBe(true)
  expect(cause?.body.length).toBeLessThanOrEqual(200)
  expect(causesIn([question(' \n ')])[0]?.body).toBe('Theme switch')
})

test('a few that come together stand for themselves, and many have one', () => {
  const cause = (number: number): Cause => ({
    key: `question/${number}`,
    title: `web:${number} asks`,
    body: 'What?',
    path: `/o/web:${number}`,
    mission: `web:${number}`,
    project: 'web',
  })
  const some = [1, 2, 3].map(cause)
  expect(noticesOf(some).map(({ tag, path }) => [tag, path])).toEqual([
    ['question/1', '/o/web:1'],
    ['question/2', '/o/web:2'],
    ['question/3', '/o/web:3'],
  ])
  const many = [1, 2, 3, 4].map(cause)
  expect(noticesOf(many)).toMatchObject([
    {
      title: '4 questions and deliveries of yours',
      body: 'web:1 asks, web:2 asks, web:3 asks, web:4 asks',
      path: '/',
      keys: many.map(({ key }) => key),
    },
  ])
  expect(noticesOf([])).toEqual([])
})
