import { test } from '@svc/domain/testing/hooked-world'
import { expect } from 'vitest'
import { countOf } from './flat/sent.ts'
import { type CallOfCycle, openCycle } from './launch-cycle.ts'

/**
 * What each call may send, from its look at the token to its commit. A call that needs more says why in the commit that
 * raises its number: each is a round trip.
 */
const most: Readonly<Record<CallOfCycle, number>> = {
  launch: 8,
  claim: 8,
  launching: 6,
  launched: 5,
  attach: 9,
  deliver: 8,
  'fan-out': 7,
}

test('a cycle from launch to delivery sends so many statements and no more', async ({ hooked }) => {
  const cycle = await openCycle(hooked, 4)
  // the first of a mission also moves it into execution
  await cycle.next((_, work) => work())
  for (const mintAgentToken of [false, true]) {
    const sent = new Map<CallOfCycle, number>()
    await cycle.next(async (name, work) => {
      const [count, answer] = await countOf(work)
      sent.set(name, count)
      return answer
    }, mintAgentToken)
    const over = [...sent].filter(([name, count]) => count > most[name])
    expect([sent.size, over]).toEqual([Object.keys(most).length, []])
  }
  expect(Object.values(most).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(55)
})
