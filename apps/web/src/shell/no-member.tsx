import { useContext } from 'react'
import { WorkspaceContext, useStore } from '../data/use-workspace.ts'
import { createStore } from '../data/store.ts'
import buttons from '../ui/button.module.css'

const unknown = createStore({ isMember: undefined as boolean | undefined })

/** Whether the person is signed in still, and of this workspace no more; false where no workspace is open. */
export function useIsNoMember(): boolean {
  const workspace = useContext(WorkspaceContext)
  return (
    useStore<{ isMember: boolean | undefined }>(workspace?.service.connection ?? unknown)
      .isMember === false
  )
}

export const noMemberWords = 'You are no member of this workspace any more, or it was deleted.'

/** Where one goes on without this workspace. */
export function NoMemberLinks() {
  const look = `${buttons['button']} ${buttons['second']}`
  return (
    <>
      <a className={look} href="/account">
        Your account
      </a>
      <a className={`${buttons['button']} ${buttons['first']}`} href="/">
        To your workspaces
      </a>
    </>
  )
}
