import { agentOperations } from './agents.ts'
import { missionOperations } from './missions.ts'
import { questionOperations } from './questions.ts'
import { queueOperations } from './queues.ts'
import { runOperations } from './runs.ts'

/** Every kind of call that writes what a mission is made of. */
export const operations = {
  ...runOperations,
  ...queueOperations,
  ...agentOperations,
  ...questionOperations,
  ...missionOperations,
}

export type OperationName = keyof typeof operations
// the keys of an object literal are its key type
export const operationNames = Object.keys(operations) as OperationName[]
