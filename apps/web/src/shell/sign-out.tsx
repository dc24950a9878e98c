import { useState } from 'react'
import { useAction } from '../data/actions.ts'
import { useWorkspace } from '../data/use-workspace.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ActionProblem } from './action-problem.tsx'

/** A sign-out by hand says what it discards, and discards it: the next person here is to find nothing. */
export function SignOut({ onClose }: { onClose: () => void }) {
  const { service, drafts } = useWorkspace()
  const end = useAction('endSignIn')
  const [count] = useState(() => drafts.countAll())
  const [problem, setProblem] = useState<string>()
  const signOut = async () => {
    const { sessions } = await service.call('listSignIns', {})
    const current = sessions.find(({ isCurrent }) => isCurrent)
    if (current && (await end.send({ id: current.id }).then(() => end.state.name)) === 'refused')
      return
    drafts.discardAll()
    location.assign('/signin')
  }
  return (
    <Dialog title="Sign out" onClose={onClose}>
      <p>
        {count === 0
          ? 'Nothing that you have typed waits here.'
          : `${count === 1 ? 'One text that you have typed is' : `${count} texts that you have typed are`} not sent yet, and will be discarded.`}
      </p>
      <ActionProblem of={end} />
      {problem !== undefined && <p role="alert">{problem}</p>}
      <DialogActions>
        <Button onClick={onClose}>Stay</Button>
        <Button
          look={count === 0 ? 'first' : 'danger'}
          onClick={() => void signOut().catch((error: unknown) => setProblem(String(error)))}
        >
          {count === 0 ? 'Sign out' : 'Discard and sign out'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
