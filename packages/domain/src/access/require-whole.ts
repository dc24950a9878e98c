import { ServiceError } from '@svc/contracts/errors'
import type { Actor } from '../actor.ts'

/** What speaks for a part of what a person may do neither takes away nor hands out all of it. */
export function requireWhole({ credential }: Actor, what: string): void {
  const { scope, projectIds, objective } = credential
  if (scope === 'full' && projectIds === null && objective === null) return
  throw new ServiceError(
    'forbidden',
    `${what} with a token of full scope, and this one has a part of it. Use one that has all.`,
    { scope: 'full' },
  )
}
