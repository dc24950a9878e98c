import { randomUUID } from 'node:crypto'
import { createLog } from '@svc/process/log'
import { expect } from 'vitest'
import { createSettler } from './settler.ts'
import { test } from './testing/dispatched-world.ts'
import { defaultDispatcherLimits, defaultDispatcherTiming } from './timing.ts'

test('outcomes that waited past their leases are given up together, however many they are', async ({
  hooked,
}) => {
  const settler = createSettler({
    domain: hooked.domain,
    timing: defaultDispatcherTiming,
    limits: { ...defaultDispatcherLimits, settleMost: 2, settleBatch: 8 },
    log: createLog({ name: 'test', level: 'silent' }),
  })
  const lapsed = Array.from({ length: 5 }, () =>
    settler.settle({
      finished: { did: 'drop', job: { id: randomUUID(), claim: 0, data: {}, group: null } },
      leaseEndsAt: performance.now(),
    }),
  )
  expect(await Promise.all(lapsed)).toHaveLength(lapsed.length)
})
