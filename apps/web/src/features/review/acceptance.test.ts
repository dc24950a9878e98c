import { expect, test } from 'vitest'
import { type Named, inTheWay, leftUndone } from './acceptance.ts'

const objective = (state: Named['state'], instruction = 'Do it.'): Named => ({
  displayId: 'web:12.k7qd',
  title: 'Do it.',
  instruction,
  state,
})
const review = { phase: 'review' } as const

test('what is not done is named before a mission is closed, but for a blank draft', () => {
  const states = ['complete', 'awaiting_approval', 'draft', 'submitted', 'executing'] as const
  const objectives = [...states.map((state) => objective(state)), objective('draft', ' \n')]
  expect(leftUndone(objectives).map(({ state }) => state)).toEqual([
    'awaiting_approval',
    'draft',
    'submitted',
  ])
})

test('what has changed since somebody began to accept is in the way of it', () => {
  const done = [objective('complete')]
  const why = (
    hasUnseen: boolean,
    objectives: readonly Named[],
    mission: Parameters<typeof inTheWay>[0]['mission'] = review,
  ) => inTheWay({ mission, objectives, hasUnseen })
  expect(why(false, done)).toBeUndefined()
  expect(why(true, done)).toContain('Another delivery has come')
  expect(why(true, [...done, objective('executing')])).toContain('web:12.k7qd is running')
  expect(why(false, [objective('launching')])).toContain('web:12.k7qd is launching')
  expect(why(false, done, { phase: 'execute' })).toContain('It is in progress now')
  expect(why(false, done, { phase: 'cancelled' })).toContain('It is cancelled meanwhile')
  // others were quicker, which is no refusal
  expect(why(false, done, { phase: 'complete' })).toBeUndefined()
})
