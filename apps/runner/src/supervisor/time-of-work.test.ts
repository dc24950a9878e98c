import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withRepository } from '../git/repository-lock.ts'
import { createRepository, temporaryFolder } from '@svc/testing/temporary'
import { startTimeOfWork } from './time-of-work.ts'

test('the time to work in stands still while anybody is waited for, and then goes on', async () => {
  using time = startTimeOfWork(50)
  const short = time.whileWaiting(() => delay(1))
  const long = time.whileWaiting(() => delay(200, 'come'))
  await short
  expect(await long).toBe('come')
  expect(time.signal.aborted).toBe(false)
  await once(time.signal, 'abort')
})

test('the turn of others in a repository is waited for, and one’s own is work', async () => {
  using folder = temporaryFolder()
  const checkout = createRepository(folder.path).path
  const others = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const first = withRepository(checkout, 'worktrees', () => {
    taken.resolve()
    return others.promise
  })
  await taken.promise
  const seen: string[] = []
  await withRepository(checkout, 'worktrees', async () => void seen.push('works'), {
    async whileWaiting(wait) {
      others.resolve()
      const waited = await wait()
      seen.push('has waited')
      return waited
    },
  })
  await first
  expect(seen).toEqual(['has waited', 'works'])
})
