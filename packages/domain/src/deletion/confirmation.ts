import { cutText } from '@svc/contracts/cut-text'
import { ServiceError } from '@svc/contracts/errors'
import { type Going, runOf } from './end-for-deletion.ts'

type What = 'missions' | 'objectives'

/** One line of what a person is asked to approve. */
interface Resolved {
  displayId: string
  title: string
  /** What it is in now, as a person reads it. */
  state: string
  running: boolean
}

interface Confirmation {
  confirm?: boolean | undefined
  /** The runs of the list that was approved. */
  running?: readonly string[] | undefined
}

const titleCharacters = 80

/** Nothing is deleted before a person has seen what it would be, and what would be ended for it. Decision 36. */
export function refuseUnlessConfirmed(
  { confirm, running = [] }: Confirmation,
  { what, resolved, going }: { what: What; resolved: readonly Resolved[]; going: readonly Going[] },
): void {
  const runs = going.map(runOf).filter((run) => run !== undefined)
  if (confirm === true && runs.every((run) => running.includes(run))) return
  throw confirmationRequired(what, resolved, runs)
}

function confirmationRequired(
  what: What,
  resolved: readonly Resolved[],
  runs: readonly string[],
): ServiceError {
  const lines = resolved.map(({ displayId, title, state, running }) => {
    const shown = `${displayId} "${cutText(title, titleCharacters)}" (${state}`
    return `${shown}${running ? ', running: its run is cancelled' : ''})`
  })
  const named = resolved.map(({ displayId }) => displayId).join(' ')
  const running = runs.length > 0 ? { running: runs.join(' ') } : {}
  const next =
    what === 'missions'
      ? ({ operation: 'deleteMissions', params: { missionIds: named, ...running } } as const)
      : ({ operation: 'deleteObjectives', params: { objectiveIds: named, ...running } } as const)
  return new ServiceError(
    'confirmation_required',
    `Nothing was deleted before a person confirms it. It would be these ${what}: ${lines.join('; ')}.`,
    { resolved, running: runs },
    { next },
  )
}
