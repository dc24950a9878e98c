import { hash } from 'node:crypto'
import { isServiceError } from '@svc/contracts/errors'
import { type BucketOptions, createBuckets, requireCall } from './buckets.ts'
import { keepRecent } from './recent.ts'
import { type HttpContext, readBearer } from './request-context.ts'

/** `how` says who a bearer token speaks for, or throws `unauthenticated`. */
export type Authenticate = <Actor>(
  context: HttpContext,
  how: (bearer: string | undefined) => Promise<Actor>,
) => Promise<Actor>

const mostKnown = 20_000

/**
 * Looks at no unknown token from a network that sent too many bad ones. A token that was good the last time is looked
 * at all the same: whoever shares a network with others, or comes through a proxy that nobody named, stays in.
 */
export function guardAuthentication(
  { failedAuthentications }: { failedAuthentications: number },
  networkOf: (context: HttpContext) => string,
  options?: BucketOptions,
): Authenticate {
  const networks = createBuckets(options)
  const known = keepRecent<true>(mostKnown)
  return async (context, how) => {
    const bearer = readBearer(context)
    const digest = hash('sha256', bearer ?? '')
    const failures = networks(networkOf(context), failedAuthentications)
    if (!known.has(digest)) requireCall([failures])
    try {
      const actor = await how(bearer)
      known.set(digest, true)
      return actor
    } catch (error) {
      if (isServiceError(error) && error.code === 'unauthenticated') {
        known.delete(digest)
        failures.takeOne()
      }
      throw error
    }
  }
}
