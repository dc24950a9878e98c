import { feedEvents, feedPaths } from '@svc/contracts/feed'
import { NextStep } from '@svc/contracts/next-step'
import { sendOnce } from './send-once.ts'
import type { Surroundings } from './surroundings.ts'

export const inNode: Surroundings = {
  feedEvents: Object.keys(feedEvents),
  feedPaths,
  knownStep: (given) => NextStep.safeParse(given).data,
  sendOnce,
}
