import type { NextStep, StepName } from '@svc/contracts/next-step'
import type { Wanted } from './wanted.ts'

/** A step that is taken on the page of its mission, and the objective that it is of, by its display id. */
export interface StepHere {
  wanted: Wanted
  objective?: string | undefined
}

type Rows = { readonly [N in StepName]?: (params: NextStep<N>['params']) => StepHere }

/** Those that have a row are taken here; all others lead elsewhere. */
const rows: Rows = {
  addObjectives: () => ({ wanted: { action: 'add-objective' } }),
  updateMission: () => ({ wanted: { action: 'settings' } }),
  moveMission: () => ({ wanted: { action: 'move' } }),
  updateObjective: ({ id, assigned_agent: agent, resource_key: resource }) => ({
    wanted: {
      action: agent !== undefined ? 'agent' : resource !== undefined ? 'resource' : 'edit',
    },
    objective: id,
  }),
  launchObjective: ({ id, agent, resourceKey }) => ({
    wanted: { action: 'launch', agent, resourceKey },
    objective: id,
  }),
  resumeObjective: ({ id }) => ({ wanted: { action: 'resume' }, objective: id }),
  cancelObjective: ({ id }) => ({ wanted: { action: 'cancel' }, objective: id }),
  queueObjective: ({ objectiveId }) => ({ wanted: { action: 'queue' }, objective: objectiveId }),
  retryRunQueueEntry: ({ objective }) => ({ wanted: { action: 'queue' }, objective }),
}

/** Undefined where the step leads elsewhere. */
export function stepHere<N extends StepName>({
  operation,
  params,
}: NextStep<N>): StepHere | undefined {
  const row: Rows[N] = rows[operation]
  return row?.(params)
}

/** Whether it is of one objective, and not of the mission. */
export function isOfObjective({ wanted: { action } }: StepHere): boolean {
  return !['add-objective', 'settings', 'move'].includes(action)
}
