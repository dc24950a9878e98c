import type { Foreseen, Affected, Scene } from './command.ts'
import type { Mission, Objective } from './state.ts'

export const missions = ({ state }: Scene) => state.missions
export const objectives = ({ state }: Scene) => state.objectives
export const itself = (_: Scene, { id }: Objective): Affected => [id]
export const ofMission = ({ state }: Scene, { id }: { id: string }): Affected =>
  state.objectives.filter((one) => one.mission === id).map((one) => one.id)

export const ofDeleted = ({ deleted }: Mission): Foreseen => (deleted ? 'not_found' : undefined)
