import { agentOperations } from './agents.ts'
import { missionOperations } from './missions.ts'
import { planOperations } from './plans.ts'
import { questionOperations } from './questions.ts'
import { queueOperations } from './queues.ts'
import { runOperations } from './runs.ts'

/** Those that lead to more than they are asked for: the tests break them. */
const farReaching = {
  ...runOperations,
  ...queueOperations,
  ...agentOperations,
  ...questionOperations,
  ...missionOperations,
}

/** Every kind of call that writes what a mission is made of. */
export const operations = { ...farReaching, ...planOperations }

export type OperationName = keyof typeof operations
// the keys of an object literal are its key type
export const operationNames = Object.keys(operations) as OperationName[]
export const farReachingNames = Object.keys(farReaching) as (keyof typeof farReaching)[]
