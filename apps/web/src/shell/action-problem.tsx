import { RefusedError } from '@svc/client/errors'
import type { RouteName } from '@svc/contracts/rest'
import { useEffect } from 'react'
import type { Action } from '../data/actions.ts'
import { announceRefusal } from '../ui/announce.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Text } from '../ui/text.tsx'
import { Problem, wordsOf } from './problem.tsx'

const unanswered = 'The service did not answer. Your text is kept; sent again, it is done once.'
const uncertain =
  'This was sent before and got no answer, in another sign-in or more than a day ago, so it may have been done. What is shown was read anew: send it again if it is not there yet.'

/** Why an action was not carried out. What got no answer is sent again as it was, and done once. */
export function ActionProblem({ of }: { of: Pick<Action<RouteName>, 'state' | 'again'> }) {
  const { state, again } = of
  const message =
    'error' in state ? wordsOf(state.error) : state.name === 'uncertain' ? uncertain : undefined
  useEffect(() => {
    if (message !== undefined) announceRefusal(message)
  }, [message])
  if (state.name === 'refused') return <Problem error={state.error} />
  if (state.name !== 'unanswered' && state.name !== 'uncertain') return null
  return (
    <Notice
      tone="caution"
      actions={
        <Button look="first" onClick={() => void again()}>
          Send again
        </Button>
      }
    >
      {state.name === 'unanswered' ? unanswered : uncertain}
      {state.name === 'unanswered' && state.error instanceof RefusedError && (
        <>
          {' '}
          <Text>{state.error.message}</Text>
        </>
      )}
    </Notice>
  )
}
