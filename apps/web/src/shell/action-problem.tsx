import type { RouteName } from '@svc/contracts/rest'
import { useEffect } from 'react'
import type { Action, ActionState } from '../data/actions.ts'
import { announceRefusal } from '../ui/announce.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Text } from '../ui/text.tsx'
import { Problem, unansweredWords, wordsOf } from './problem.tsx'

const uncertain =
  'What was sent before got no answer, in another sign-in or more than a day ago, so it may have been done. What is shown was read anew: send this if it is not there yet.'

const overtaken =
  'What you sent before has been done, although its answer was lost. What stands here now differs from that and was not sent: send it if you want this, too.'

/** Why an action was not carried out. What got no answer is sent again as it was, and done once. */
export function ActionProblem({ of }: { of: Pick<Action<RouteName>, 'state' | 'again'> }) {
  const { state, again } = of
  const message = sentenceOf(state)
  useEffect(() => {
    if (message !== undefined) announceRefusal(message)
  }, [message])
  if (state.name === 'refused') return <Problem error={state.error} />
  if (message === undefined) return null
  return (
    <Notice
      tone="caution"
      actions={
        state.name !== 'overtaken' && (
          <Button look="first" onClick={() => void again()}>
            Send again
          </Button>
        )
      }
    >
      <Text>{message}</Text>
    </Notice>
  )
}

function sentenceOf(state: ActionState): string | undefined {
  if (state.name === 'uncertain') return uncertain
  if (state.name === 'overtaken') return overtaken
  if (state.name === 'refused') return wordsOf(state.error)
  if (state.name !== 'unanswered') return undefined
  return `${unansweredWords(state.error)} Your text is kept; sent again, it is done once.`
}
