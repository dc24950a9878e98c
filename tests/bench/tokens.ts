import type { Domain } from '@svc/domain/domain'
import { enrol } from '@svc/domain/testing/enrol'
import { issueToken } from '@svc/domain/workspaces/set-up/set-up'

export interface Owner {
  workspaceId: string
  userId: string
  /** To be taken in turn, as those of many people. */
  tokens: string[]
}

export async function setUpOwner(domain: Domain, tokenCount: number): Promise<Owner> {
  const owner = { workspace: 'bench', name: 'bench', role: 'owner' } as const
  const { workspaceId, userId } = await enrol(domain, owner)
  const order = { workspaceId, userId, preset: 'full', expiresInDays: 1 } as const
  const tokens: string[] = []
  for (let made = 0; made < tokenCount; made += 1) {
    tokens.push(await issueToken(domain, { ...order, label: `bench ${made}` }))
  }
  return { workspaceId, userId, tokens }
}

export function inTurn(tokens: readonly string[]): () => string {
  let next = 0
  return () => {
    next = (next + 1) % tokens.length
    return tokens[next] ?? ''
  }
}
