import { RefusedError } from '@svc/client/errors'
import { useEffect, useRef } from 'react'
import type { ActionState } from '../data/actions.ts'
import { useStore, useWorkspace } from '../data/use-workspace.ts'

/** After a sign-out by hand one goes, and what was typed is discarded: the next person here is to find nothing. */
export function useLeaving(): () => void {
  const { drafts } = useWorkspace()
  return () => {
    drafts.discardAll()
    location.assign('/signin')
  }
}

/** Also where the sign-in was ended by a try whose answer was lost, or elsewhere meanwhile. */
export function useLeavesOnceEnded(state: ActionState, leave: () => void): void {
  const { isSignedIn } = useStore(useWorkspace().service.connection)
  const isRefused =
    state.name === 'refused' &&
    state.error instanceof RefusedError &&
    state.error.code === 'unauthenticated'
  const hasEnded = isRefused || (state.name === 'unanswered' && !isSignedIn)
  const latest = useRef(leave)
  useEffect(() => {
    if (hasEnded) latest.current()
  }, [hasEnded])
}
