import { useEffect } from 'react'
import { Problem } from '../../shell/problem.tsx'
import { announceRefusal } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import type { Hindrance } from './ordering.ts'
import type { OrderingStatuses } from './use-ordering.ts'

/** Why a column went back to its place, and what can be done about it. */
export function OrderProblem({ of }: { of: OrderingStatuses }) {
  const { hindrance } = of
  return hindrance && <Shown key={hindrance.ordering.key} hindrance={hindrance} of={of} />
}

function Shown({ hindrance, of }: { hindrance: Hindrance; of: OrderingStatuses }) {
  const { why } = hindrance
  const said = sentenceOf(hindrance)
  useEffect(() => {
    if (said !== undefined) announceRefusal(said)
  }, [said])
  if (why === 'refused') return <Problem error={hindrance.error} onRetry={of.again} />
  return (
    <Notice
      tone="caution"
      actions={
        <>
          {why === 'ordered' && <Button onClick={of.again}>Move it all the same</Button>}
          {why === 'unanswered' && (
            <Button look="first" onClick={of.again}>
              Send again
            </Button>
          )}
          <Button onClick={of.dismiss}>{why === 'ordered' ? 'Leave it there' : 'Close'}</Button>
        </>
      }
    >
      <Text>{said ?? ''}</Text>
    </Notice>
  )
}

function sentenceOf(of: Hindrance): string | undefined {
  const { label } = of.ordering
  switch (of.why) {
    case 'ordered':
      return `Somebody else has put the columns in another order, so ${label} was not moved.`
    case 'gone':
      return `Somebody else has deleted the column ${label}.`
    case 'unanswered':
      return `${of.said ?? `The service did not say whether ${label} was moved.`} Sent again, it is moved once.`
    case 'refused':
      return undefined
  }
}
