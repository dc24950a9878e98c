import { cloneTo } from '../git/clone.ts'
import { GitError } from '../git/git.ts'
import { LaunchRelease } from '../launch-failure.ts'
import type { Run } from '../run/run.ts'

/**
 * What an ephemeral runner is to clone, once it is known that this machine trusts where from. Without its own resource no run
 * starts; another one is then not available to it, as where it is not linked.
 */
export async function cloneMissing({ order, log }: Run, signal: AbortSignal): Promise<void> {
  const { resourceKey: own } = order.assignment.executionRequest
  for (const [resourceKey, url] of Object.entries(order.clones)) {
    const path = order.checkouts[resourceKey]
    if (path === undefined) continue
    try {
      await cloneTo(path, url, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof GitError)) throw error
      if (resourceKey === own) throw notCloned(resourceKey, url, error)
      log.warn({ err: error, resourceKey }, 'a resource could not be cloned')
      Reflect.deleteProperty(order.checkouts, resourceKey)
    }
  }
}

function notCloned(resourceKey: string, url: string, cause: GitError): LaunchRelease {
  const text = `Resource ${resourceKey} could not be cloned from ${url}: ${cause.said}`
  return new LaunchRelease('network', text, { cause })
}
