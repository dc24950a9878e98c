import { useStore, useWorkspace } from '../data/use-workspace.ts'
import { useState } from 'react'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { SignInLink } from './sign-in-link.tsx'

/** A session may end in the middle of a sentence: what was typed is here when the same person has signed in again. */
export function SignedOut() {
  const { service } = useWorkspace()
  const { isSignedIn } = useStore(service.connection)
  const [isPutOff, putOff] = useState(false)
  // the next time that a sign-in ends is told again
  if (isSignedIn && isPutOff) putOff(false)
  if (isSignedIn || isPutOff) return null
  return (
    <Dialog title="You are signed out" onClose={() => putOff(true)}>
      <p>
        Your sign-in has ended. What you have typed is kept on this computer, and is here when you
        have signed in again.
      </p>
      <DialogActions>
        <SignInLink />
      </DialogActions>
    </Dialog>
  )
}
