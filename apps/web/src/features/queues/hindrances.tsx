import { useEffect } from 'react'
import { Problem } from '../../shell/problem.tsx'
import { announceRefusal } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import { focusEntry } from './changes.ts'
import type { Hindrance } from './ordering.ts'
import { useScene } from './scene.ts'

/** Why entries went back to where they were, and what can be done about it. */
export function Hindrances() {
  return useScene().ordering.hindrances.map((one) => (
    <OneHindrance key={one.ordering.key} of={one} />
  ))
}

function OneHindrance({ of }: { of: Hindrance }) {
  const { ordering } = useScene()
  const { moved, queue } = of.ordering
  const who = ordering.lastBy.get(queue.id) ?? 'Somebody else'
  const said = sentenceOf(of, who)
  useEffect(() => {
    if (said !== undefined) announceRefusal(said)
  }, [said])
  const leave = () => {
    ordering.dismiss(of)
    focusEntry(moved.id)
  }
  const again = () => {
    ordering.again(of)
    focusEntry(moved.id)
  }
  if (of.why === 'refused') {
    return (
      <div>
        <p>
          {moved.displayId} is back in its place. <Button onClick={leave}>Close</Button>
        </p>
        <Problem error={of.error} />
      </div>
    )
  }
  return (
    <Notice
      tone="caution"
      actions={
        <>
          {of.why === 'ordered' && <Button onClick={again}>Move it all the same</Button>}
          {of.why === 'unanswered' && (
            <Button look="first" onClick={again}>
              Send again
            </Button>
          )}
          <Button onClick={leave}>{of.why === 'ordered' ? 'Leave it there' : 'Close'}</Button>
        </>
      }
    >
      <Text>{said ?? ''}</Text>
    </Notice>
  )
}

function sentenceOf(of: Hindrance, who: string) {
  const { moved, queue } = of.ordering
  switch (of.why) {
    case 'ordered':
      return `${who} has put the queue ${queue.name} in another order, so ${moved.displayId} was not moved.`
    case 'launched':
      return `${moved.displayId} has been launched meanwhile, so it stays where it is.`
    case 'gone':
      return `${moved.displayId} is not in the queue ${queue.name} any more.`
    case 'unanswered':
      return `${of.said ?? `The service did not say whether ${moved.displayId} was moved.`} Sent again, it is done once.`
    case 'refused':
      return undefined
  }
}
