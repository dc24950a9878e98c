import { isLeftUndone } from '@svc/contracts/left-undone'
import type { Objective } from '@svc/contracts/objective'
import { counted } from './counted.ts'

type Told = Pick<Objective, 'displayId' | 'state' | 'instruction'>

const mostNamed = 5

/** What is said of them behind the word that it is closed; nothing where all is done. */
export function undoneWords(objectives: readonly Told[]): string | undefined {
  const left = objectives.filter(isLeftUndone)
  if (left.length === 0) return undefined
  const named = left.slice(0, mostNamed).map(({ displayId }) => displayId)
  const more = left.length - named.length
  const all = more > 0 ? [...named, `and ${more} more`] : named
  return `${counted(left.length, 'objective')} of it ${left.length === 1 ? 'is' : 'are'} not done: ${all.join(', ')}.`
}
