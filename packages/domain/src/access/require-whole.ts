import { ServiceError } from '@svc/contracts/errors'
import type { Actor } from '../common/actor.ts'

/** What speaks for a part of what a person may do neither takes away nor hands out all of it. */
export function requireWhole(actor: Actor, what: string): void {
  if (isWhole(actor)) return
  throw new ServiceError(
    'forbidden',
    `${what} with a token of full scope, and this one has a part of it. Use one that has all.`,
    { scope: 'full' },
  )
}

/** Whether it speaks for all that the person may do, as they do themselves. */
export function isWhole({ credential }: Actor): boolean {
  const { scope, projectIds, objective } = credential
  return scope === 'full' && projectIds === null && objective === null
}
