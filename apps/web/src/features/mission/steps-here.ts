import type { NextStep } from '@svc/contracts/next-step'
import type { Wanted } from './wanted.ts'

/** A step that is taken on the page of its mission, and the objective that it is of, by its display id. */
export interface StepHere {
  wanted: Wanted
  objective?: string
}

/** Undefined where the step leads elsewhere. */
export function stepHere(step: NextStep): StepHere | undefined {
  switch (step.operation) {
    case 'addObjectives':
      return { wanted: { action: 'add-objective' } }
    case 'updateMission':
      return { wanted: { action: 'settings' } }
    case 'moveMission':
      return { wanted: { action: 'move' } }
    case 'updateObjective':
      return { wanted: { action: 'edit' }, objective: step.params.id }
    case 'launchObjective': {
      const { id, agent, resourceKey } = step.params
      return id === undefined
        ? undefined
        : { wanted: { action: 'launch', agent, resourceKey }, objective: id }
    }
    case 'resumeObjective':
      return { wanted: { action: 'resume' }, objective: step.params.id }
    case 'cancelObjective':
      return { wanted: { action: 'cancel' }, objective: step.params.id }
    case 'queueObjective':
      return { wanted: { action: 'queue' }, objective: step.params.objectiveId }
    case 'retryRunQueueEntry':
      return { wanted: { action: 'queue' }, objective: step.params.objective }
    default:
      return undefined
  }
}
