import { randomUUID } from 'node:crypto'
import type { Person } from './people.ts'

/** What an agent delivers in addition to its summary. */
export const twoArtifacts = [
  { type: 'next_steps', label: 'Next', contentText: 'Ship it' },
  { type: 'link', label: 'Preview', externalUrl: 'https://example.com/preview' },
]

export function rationaleOf(filePath: string) {
  return { filePath, label: 'Parser', summary: 'Splits', why: 'Read twice', impact: 'None' }
}

interface LedgerOrder {
  agent: { sessionKey(): string }
  objective: { id: string }
  items: unknown[]
  seq?: number
}

export function sendLedger(person: Person, { agent, objective, items, seq = 1 }: LedgerOrder) {
  return person.call('recordLedgerBatch', {
    id: objective.id,
    sessionKey: agent.sessionKey(),
    batchId: randomUUID(),
    seq,
    items,
  })
}
