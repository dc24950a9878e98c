import { useState } from 'react'
import { useAction } from '../data/actions.ts'
import { defineRead, useRead } from '../data/reads.ts'
import { useWorkspace } from '../data/use-workspace.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ActionProblem } from './action-problem.tsx'
import { Problem } from './problem.tsx'
import { useLeavesOnceEnded, useLeaving } from './use-leaving.ts'

/** No feed tells of sign-ins. */
const signIns = defineRead({ operation: 'listSignIns', touchedBy: () => false })

/** A sign-out by hand says what it discards, and discards it: the next person here is to find nothing. */
export function SignOut({ onClose }: { onClose: () => void }) {
  const { drafts } = useWorkspace()
  const [count] = useState(() => drafts.countAll())
  const read = useRead(signIns, {})
  const current = read.data?.sessions.find(({ isCurrent }) => isCurrent)
  const leave = useLeaving()
  const end = useAction('endSignIn', { onDone: leave })
  useLeavesOnceEnded(end.state, leave)
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
          disabled={current === undefined || end.state.name === 'sending'}
          onClick={() => current && void end.send({ id: current.id })}
        >
          {count === 0 ? 'Sign out' : 'Discard and sign out'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
