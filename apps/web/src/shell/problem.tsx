import { RefusedError, UnreachableError } from '@svc/client/errors'
import { useContext } from 'react'
import { isNotHere } from '../data/not-here.ts'
import { createStore } from '../data/store.ts'
import { saidBy } from '../data/unanswered.ts'
import { WorkspaceContext, useStore } from '../data/use-workspace.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Text } from '../ui/text.tsx'
import { refusalWords } from '../words/refusal.ts'
import { NoMemberLinks, noMemberWords, useIsNoMember } from './no-member.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { StepLink } from './step-link.tsx'

const unreached = 'The service is not reached.'
const signedOut = 'You are signed out.'

/** Of a sign-in that has ended, and of a way that leads nowhere, the client and the service speak to programs. */
export function wordsOf(error: Error): string {
  if (isSignedOut(error)) return signedOut
  if (error instanceof UnreachableError) return saidBy(error)?.message ?? unreached
  return error instanceof RefusedError ? refusalWords(error) : error.message
}

/** Of a call that may have been carried out or not. */
export function unansweredWords(error: Error): string {
  return saidBy(error)?.message ?? 'The service did not answer.'
}

/** Why something is not here or was not done, and what helps: the service's own words where it said any. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const again = onRetry && <Button onClick={onRetry}>Try again</Button>
  if (error instanceof UnreachableError) {
    return (
      <Notice tone="caution" actions={again}>
        <Text>{wordsOf(error)}</Text> Nothing that you have typed is lost.
      </Notice>
    )
  }
  if (!(error instanceof RefusedError)) {
    return (
      <Notice tone="refusal" actions={again}>
        Something went wrong on this page: <Text>{error.message}</Text>
      </Notice>
    )
  }
  if (isSignedOut(error)) return <NotIn />
  if (isNotHere(error)) {
    return (
      <Notice tone="caution" actions={error.next && <StepLink step={error.next} />}>
        This is not here, or not yours. <Text>{wordsOf(error)}</Text>
      </Notice>
    )
  }
  const actions = error.next ? <StepLink step={error.next} /> : error.status >= 500 && again
  return (
    <Notice tone="refusal" actions={actions || undefined}>
      <Text>{wordsOf(error)}</Text>
      {error.status >= 500 && error.requestId !== undefined && (
        <>
          {' '}
          It is in the log of the service as <code>{error.requestId}</code>.
        </>
      )}
    </Notice>
  )
}

const nothingDiscarded = createStore(false)

function NotIn() {
  const isNoMember = useIsNoMember()
  const isDiscarded = useStore(useContext(WorkspaceContext)?.drafts.isDiscarded ?? nothingDiscarded)
  const words = isDiscarded
    ? signedOut
    : `${signedOut} What you have typed is kept on this computer.`
  return (
    <Notice tone="caution" actions={isNoMember ? <NoMemberLinks /> : <SignInLink />}>
      {isNoMember ? noMemberWords : words}
    </Notice>
  )
}

function isSignedOut(error: Error): boolean {
  return error instanceof RefusedError && error.code === 'unauthenticated'
}
