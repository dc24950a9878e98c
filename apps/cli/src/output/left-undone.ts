import { isLeftUndone } from '@svc/contracts/left-undone'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import { named } from './named.ts'

interface Closed {
  mission: Pick<Mission, 'displayId'>
  objectives: readonly Pick<Objective, 'displayId' | 'state' | 'instruction'>[]
}

/** For a person who closed such a mission. */
export function leftUndone({ mission: { displayId }, objectives }: Closed): string[] {
  const left = objectives.filter(isLeftUndone)
  if (left.length === 0) return []
  const names = named(left.map((one) => one.displayId))
  return [`warning: ${displayId} is closed with objectives that are not done: ${names}.`]
}
