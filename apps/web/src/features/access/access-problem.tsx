import { RefusedError } from '@svc/client/errors'
import type { RouteName } from '@svc/contracts/rest'
import { useLocation } from 'wouter'
import type { Action } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'

interface AccessProblemProps {
  of: Pick<Action<RouteName>, 'state' | 'again'>
  /** The members are behind what is open, or on another part of the page. */
  onMembers: () => void
}

/** The last owner stays: the way out is among the members, where somebody else is made one. */
export function AccessProblem({ of, onMembers }: AccessProblemProps) {
  const [, go] = useLocation()
  const { state } = of
  const isLastOwner =
    state.name === 'refused' &&
    state.error instanceof RefusedError &&
    state.error.code === 'last_owner'
  if (!isLastOwner) return <ActionProblem of={of} />
  const toMembers = () => {
    onMembers()
    go(pathTo('access', {}))
  }
  return (
    <Notice tone="refusal" actions={<Button onClick={toMembers}>To the members</Button>}>
      <Text>{state.error.message}</Text>
    </Notice>
  )
}
