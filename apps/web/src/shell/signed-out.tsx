import { useStore, useWorkspace } from '../data/use-workspace.ts'
import { useState } from 'react'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import buttons from '../ui/button.module.css'

/** A session may end in the middle of a sentence: what was typed is here when the same person has signed in again. */
export function SignedOut() {
  const { service, drafts } = useWorkspace()
  const { isSignedIn } = useStore(service.connection)
  const [isPutOff, putOff] = useState(false)
  // the next time that a sign-in ends is told again
  if (isSignedIn && isPutOff) putOff(false)
  if (isSignedIn || isPutOff) return null
  const next = location.pathname + location.search + location.hash
  return (
    <Dialog title="You are signed out" onClose={() => putOff(true)}>
      <p>
        Your sign-in has ended. What you have typed is kept on this computer, and is here when you
        have signed in again.
      </p>
      <DialogActions>
        <a
          className={`${buttons['button']} ${buttons['first']}`}
          href={`/signin?${new URLSearchParams({ next }).toString()}`}
          onClick={() => drafts.flush()}
        >
          Sign in
        </a>
      </DialogActions>
    </Dialog>
  )
}
