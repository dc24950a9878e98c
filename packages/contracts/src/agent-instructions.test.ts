import { expect, test } from 'vitest'
import { instructionsForCommands } from './agent-instructions.ts'
import { protocolOperations } from './protocol.ts'

/** What no run asks of its agent: the context comes with the attach, and work outside of a run has a help of its own. */
const untold = ['record-work', 'update-artifact', 'load-context']

test('an agent is told of every operation that its run asks of it', () => {
  const isTold = (operation: string) =>
    new RegExp(`svc protocol ${operation}\\b(?!-)`).test(instructionsForCommands)
  expect(protocolOperations.filter((operation) => !isTold(operation))).toEqual(untold)
})
