import { useState } from 'react'
import { useStore, useWorkspace } from '../../data/use-workspace.ts'

/** Why what stands here is not kept true, and since when; `at` is 0 where it never was. */
export interface Lost {
  how: 'signed-out' | 'no-member' | 'away'
  at: number
}

export function useLost(): Lost | undefined {
  const { isReached, isSignedIn, isMember, feed, heardAt } = useStore(
    useWorkspace().service.connection,
  )
  const [noticedAt, setNoticedAt] = useState<number>()
  const isLost = !isSignedIn || !isReached || feed === 'away'
  if (isLost && noticedAt === undefined) setNoticedAt(Date.now())
  if (!isLost && noticedAt !== undefined) setNoticedAt(undefined)
  if (!isLost) return undefined
  // a call may go astray while changes are heard all the same
  const at = feed === 'away' ? heardAt : (noticedAt ?? Date.now())
  return { how: isSignedIn ? 'away' : isMember === false ? 'no-member' : 'signed-out', at }
}
