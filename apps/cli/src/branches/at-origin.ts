import { listAtOrigin } from '@svc/runner/git/origin'

const lookMs = 10_000

export type AtOrigin = 'there' | 'absent' | 'none' | 'unreachable'

/** Whether `origin` has the branch now, or, without a name, can be reached at all. Nothing is fetched. */
export async function lookAtOrigin(checkout: string, branch?: string): Promise<AtOrigin> {
  const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`
  const { state, sha } = await listAtOrigin(checkout, ref, { timeoutMs: lookMs })
  if (state !== 'reached') return state
  return sha === undefined ? 'absent' : 'there'
}
