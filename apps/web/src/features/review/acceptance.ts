import { isLeftUndone } from '@svc/contracts/left-undone'
import type { Mission } from '@svc/contracts/mission'
import type { ListedObjective } from '@svc/contracts/objective'
import { isActive, isClosed } from '../../data/states.ts'
import { objectiveWords, phaseWords } from '../../words/states.ts'

export type Named = Pick<ListedObjective, 'displayId' | 'title' | 'instruction' | 'state'>

/** Whose run is queued or under way. */
export function atWork<T extends Pick<Named, 'state'>>(objectives: readonly T[]): T | undefined {
  return objectives.find(({ state }) => isActive(state))
}

/** What accepting leaves undone. */
export function leftUndone<T extends Named>(objectives: readonly T[]): T[] {
  return objectives.filter((one) => isLeftUndone(one) && !isActive(one.state))
}

interface Standing {
  mission: Pick<Mission, 'phase'>
  objectives: readonly Named[]
  /** A delivery has come since the person began to decide. */
  hasUnseen: boolean
}

/** Why what the person has seen is not what would be accepted now. */
export function inTheWay({ mission, objectives, hasUnseen }: Standing): string | undefined {
  const busy = atWork(objectives)
  if (busy) {
    return `${busy.displayId} is ${objectiveWords[busy.state].word}: nothing is accepted before that is over.`
  }
  if (hasUnseen) return 'Another delivery has come meanwhile. Look at it, then decide.'
  // accepting what others have accepted says so
  if (mission.phase === 'review' || mission.phase === 'complete') return undefined
  const { word } = phaseWords[mission.phase]
  return isClosed(mission.phase)
    ? `It is ${word} meanwhile: there is nothing left to accept.`
    : `It is ${word} now, and can be accepted once it is in review.`
}
