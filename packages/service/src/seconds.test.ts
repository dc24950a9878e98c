import { defaultSeconds } from '@svc/domain/seconds'
import { readEnvironment } from '@svc/process/env'
import { expect, test } from 'vitest'
import { SecondsEnvironment, domainSeconds } from './seconds.ts'

test('the intervals are those of the environment, and their defaults where it says nothing', () => {
  const environment = readEnvironment(SecondsEnvironment, { SVC_LEASE_SECONDS: '1.5' })
  expect(domainSeconds(environment)).toEqual({ ...defaultSeconds, lease: 1.5 })
})
