import { useState } from 'react'
import { limits } from '../data/contracts.values.ts'
import { useStore, useWorkspace } from '../data/use-workspace.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Text } from '../ui/text.tsx'
import { NoMemberLinks } from './no-member.tsx'
import { SignInLink } from './sign-in-link.tsx'

/** A session may end in the middle of a sentence: what was typed is here when the same person has signed in again. */
export function SignedOut() {
  const { service, drafts } = useWorkspace()
  const isDiscarded = useStore(drafts.isDiscarded)
  const { isSignedIn, isMember } = useStore(service.connection)
  const [isPutOff, putOff] = useState(false)
  // the next time that a sign-in ends is told again
  if (isSignedIn && isPutOff) putOff(false)
  if (isSignedIn || isPutOff || isMember === undefined) return null
  if (!isMember) return <NoMember onClose={() => putOff(true)} />
  return (
    <Dialog title="You are signed out" onClose={() => putOff(true)}>
      <p>
        {isDiscarded
          ? 'You have signed out in this browser, and what you had typed was discarded with that. What still stands on this page is kept nowhere: copy what you need of it.'
          : 'Your sign-in has ended. What you have typed is kept on this computer, and is here when you have signed in again.'}
      </p>
      <DialogActions>
        <SignInLink />
      </DialogActions>
    </Dialog>
  )
}

/** Told under whatever page was open: nothing of the workspace can be read any more, and nobody says to a stranger why. */
function NoMember({ onClose }: { onClose: () => void }) {
  const { me, rights } = useWorkspace()
  const name = <Text>{me.workspace.name}</Text>
  return (
    <Dialog title="You are no member here any more" onClose={onClose}>
      <p>
        Your membership of {name} has ended, or an owner has deleted the workspace. Your tokens and
        connected applications there let nobody in any more. What you did stays.
      </p>
      <p>
        To come back, ask an admin for an invitation. A workspace that was deleted is restored by{' '}
        {rights.mayCall('deleteWorkspace') ? 'you at your account' : 'an owner at their account'},
        for {limits.restorableDays} days, with all its members.
      </p>
      <DialogActions>
        <NoMemberLinks />
      </DialogActions>
    </Dialog>
  )
}
