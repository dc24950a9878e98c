import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import { named } from './named.ts'

interface Closed {
  mission: Pick<Mission, 'displayId'>
  objectives: readonly Pick<Objective, 'displayId' | 'state' | 'instruction'>[]
}

/** For a person who closed such a mission; a blank draft says nothing that could be done. */
export function leftUndone({ mission: { displayId }, objectives }: Closed): string[] {
  const left = objectives.filter(
    ({ state, instruction }) =>
      state !== 'complete' && (state !== 'draft' || instruction.trim() !== ''),
  )
  if (left.length === 0) return []
  const names = named(left.map((one) => one.displayId))
  return [`warning: ${displayId} is closed with objectives that are not done: ${names}.`]
}
