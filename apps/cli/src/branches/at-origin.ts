import { gitIfPossible } from '@svc/runner/git/git'
import { hasOrigin } from '@svc/runner/git/refs'

const lookMs = 10_000

export type AtOrigin = 'there' | 'absent' | 'none' | 'unreachable'

/** Whether `origin` has the branch now, or, without a name, can be reached at all. Nothing is fetched. */
export async function lookAtOrigin(checkout: string, branch?: string): Promise<AtOrigin> {
  if (!(await hasOrigin(checkout, {}))) return 'none'
  const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`
  const listed = await gitIfPossible(checkout, ['ls-remote', 'origin', '--', ref], {
    timeoutMs: lookMs,
  })
  if (listed === undefined) return 'unreachable'
  return listed.trim() === '' ? 'absent' : 'there'
}
