import { expect } from 'vitest'
import { password, test } from './testing/set-up-place.ts'

test('whoever tried too often is told how long to wait', async ({ place: { send } }) => {
  const from = { 'x-forwarded-for': '192.0.2.1' }
  const answers: Response[] = []
  for (let tries = 0; tries < 11; tries += 1) {
    answers.push(await send('/signin', { email: 'nobody@example.com', password }, from))
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(403), 429])
  const last = answers.at(-1)
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(800)
  expect(await last?.text()).toContain('Wait 15 minutes')
})
