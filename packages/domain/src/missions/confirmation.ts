import { cutText } from '@svc/contracts/cut-text'
import { ServiceError } from '@svc/contracts/errors'

/** One line of what a person is asked to approve. */
interface Resolved {
  displayId: string
  title: string
  /** What it is in now, as a person reads it. */
  state: string
  /** It would refuse to be deleted. */
  running: boolean
}

const titleCharacters = 80

/** Nothing is deleted before a person has seen what it would be. Decision 36. */
export function confirmationRequired(
  what: 'missions' | 'objectives',
  resolved: readonly Resolved[],
): ServiceError {
  const lines = resolved.map(({ displayId, title, state, running }) => {
    const shown = `${displayId} "${cutText(title, titleCharacters)}" (${state}`
    return `${shown}${running ? ', running: to be called off first' : ''})`
  })
  const named = resolved.map(({ displayId }) => displayId).join(' ')
  const next =
    what === 'missions'
      ? ({ operation: 'deleteMissions', params: { missionIds: named } } as const)
      : ({ operation: 'deleteObjectives', params: { objectiveIds: named } } as const)
  return new ServiceError(
    'confirmation_required',
    `Nothing was deleted before a person confirms it. It would be these ${what}: ${lines.join('; ')}.`,
    { resolved },
    { next },
  )
}
