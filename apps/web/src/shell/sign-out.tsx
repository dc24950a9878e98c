import { RefusedError } from '@svc/client/errors'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../data/actions.ts'
import { defineRead, useRead } from '../data/reads.ts'
import { useStore, useWorkspace } from '../data/use-workspace.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ActionProblem } from './action-problem.tsx'
import { Problem } from './problem.tsx'

/** No feed tells of sign-ins. */
const signIns = defineRead({ operation: 'listSignIns', touchedBy: () => false })

/** A sign-out by hand says what it discards, and discards it: the next person here is to find nothing. */
export function SignOut({ onClose }: { onClose: () => void }) {
  const { drafts, service } = useWorkspace()
  const { isSignedIn } = useStore(service.connection)
  const [count] = useState(() => drafts.countAll())
  const read = useRead(signIns, {})
  const current = read.data?.sessions.find(({ isCurrent }) => isCurrent)
  const leave = () => {
    drafts.discardAll()
    location.assign('/signin')
  }
  const end = useAction('endSignIn', { onDone: leave })
  // ended by a try whose answer was lost, or elsewhere
  const { state } = end
  const isRefused =
    state.name === 'refused' &&
    state.error instanceof RefusedError &&
    state.error.code === 'unauthenticated'
  const hasEnded = isRefused || (state.name === 'unanswered' && !isSignedIn)
  const latest = useRef(leave)
  useEffect(() => {
    if (hasEnded) latest.current()
  }, [hasEnded])
  return (
    <Dialog title="Sign out" onClose={onClose}>
      <p>
        {count === 0
          ? 'Nothing that you have typed waits here.'
          : `${count === 1 ? 'One text that you have typed is' : `${count} texts that you have typed are`} not sent yet, and will be discarded.`}
      </p>
      <ActionProblem of={end} />
      {read.error && <Problem error={read.error} />}
      <DialogActions>
        <Button onClick={onClose}>Stay</Button>
        <Button
          look={count === 0 ? 'first' : 'danger'}
          disabled={current === undefined || state.name === 'sending'}
          onClick={() => current && void end.send({ id: current.id })}
        >
          {count === 0 ? 'Sign out' : 'Discard and sign out'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
