import type { Objective } from '@svc/contracts/objective'
import { counted } from './counted.ts'

type Told = Pick<Objective, 'displayId' | 'state' | 'instruction'>

/** Of a mission that is closed, what has not been done; a blank draft says nothing that could be. */
export function notDone<T extends Pick<Told, 'state' | 'instruction'>>(
  objectives: readonly T[],
): T[] {
  return objectives.filter(
    ({ state, instruction }) =>
      state !== 'complete' && (state !== 'draft' || instruction.trim() !== ''),
  )
}

const mostNamed = 5

/** What is said of them behind the word that it is closed; nothing where all is done. */
export function undoneWords(objectives: readonly Told[]): string | undefined {
  const left = notDone(objectives)
  if (left.length === 0) return undefined
  const named = left.slice(0, mostNamed).map(({ displayId }) => displayId)
  const more = left.length - named.length
  const all = more > 0 ? [...named, `and ${more} more`] : named
  return `${counted(left.length, 'objective')} of it ${left.length === 1 ? 'is' : 'are'} not done: ${all.join(', ')}.`
}
