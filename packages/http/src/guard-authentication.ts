import { hash } from 'node:crypto'
import { isServiceError } from '@svc/contracts/errors'
import { formOfToken } from '@svc/contracts/token-form'
import { type BucketOptions, createBuckets, requireCall } from './buckets.ts'
import { keepRecent } from '@svc/contracts/recent'
import { type HttpContext, type Presented, readPresented } from './request-context.ts'

/** `how` says who sent what is presented, or throws `unauthenticated`. */
export type Authenticate = <Actor>(
  context: HttpContext,
  how: (presented: Presented) => Promise<Actor>,
) => Promise<Actor>

const mostKnown = 20_000

/**
 * Looks at no unknown credential from a network that sent too many bad ones. One that was good the last time is looked at
 * all the same: whoever shares a network with others, or comes through a proxy that nobody named, stays in. So is that of a
 * run, which an agent comes with for the first time: a forged one is known by its MAC alone, and each that was good is
 * counted by itself.
 */
export function guardAuthentication(
  { failedAuthentications }: { failedAuthentications: number },
  networkOf: (context: HttpContext) => string,
  options?: BucketOptions,
): Authenticate {
  const networks = createBuckets(options)
  const runs = createBuckets(options)
  const known = keepRecent<true>(mostKnown)
  return async (context, how) => {
    const presented = readPresented(context)
    const digest = hash('sha256', presented.bearer ?? presented.cookies ?? '')
    const failures = networks(networkOf(context), failedAuthentications)
    const isOfRun = formOfToken(presented.bearer ?? '') === 'run'
    const ofRun = runs(digest, failedAuthentications)
    if (!known.has(digest)) requireCall([isOfRun ? ofRun : failures])
    try {
      const actor = await how(presented)
      known.set(digest, true)
      return actor
    } catch (error) {
      if (isServiceError(error) && error.code === 'unauthenticated') {
        known.delete(digest)
        const isOver = isOfRun && error.details?.['reason'] === 'run_over'
        const counted = isOver ? ofRun : failures
        counted.takeOne()
      }
      throw error
    }
  }
}
