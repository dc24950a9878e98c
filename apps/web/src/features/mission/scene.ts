import type { Artifact } from '@svc/contracts/artifact'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import {
  type Dispatch,
  type SetStateAction,
  createContext,
  startTransition,
  useContext,
  useOptimistic,
} from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import type { Overview } from './patch-overview.ts'
import { overviewRequest } from './reads.ts'
import type { Wanted } from './wanted.ts'

type Change = (shown: Overview) => Overview

/** What of the page is open on top of it. */
export type Opened =
  | {
      what: 'launch'
      objective: string
      agent?: string | undefined
      resourceKey?: string | undefined
    }
  | { what: 'cancel'; objective: string }
  | { what: 'delete'; objective: string }
  | { what: 'queue'; objective: string }
  | { what: 'settings' }
  | { what: 'artifact'; artifact: Artifact | undefined }
  | { what: 'delete-mission' }
  | undefined

/** What all parts of the page share. */
export interface Scene {
  readonly shown: Overview
  /** Puts what an answer holds into what is shown, before the feed tells of it. */
  keep: (change: Change) => void
  /** Shows what certainly comes of a call while it is under way; a refusal takes it back. */
  foresee: (change: Change, call: () => Promise<void>) => void
  open: Dispatch<SetStateAction<Opened>>
  /** The objective whose details are shown. */
  readonly expanded: string | undefined
  expand: (objectiveId: string | undefined) => void
  /** Does what a step of the service asks for, or leads to where it is done. */
  act: (wanted: Wanted, objectiveId: string | undefined) => void
}

export const SceneContext = createContext<Scene | undefined>(undefined)

export function useScene(): Scene {
  const scene = useContext(SceneContext)
  if (scene === undefined) throw new Error('A part of a mission is shown outside of its page.')
  return scene
}

/** The overview as it is shown, with what is certain to come. */
export function useForeseen(
  id: string,
  known: Overview,
): Pick<Scene, 'shown' | 'keep' | 'foresee'> {
  const { queries } = useWorkspace()
  const [shown, show] = useOptimistic(known, (now: Overview, change: Change) => change(now))
  const keep = (change: Change) => {
    const queryKey = ['getMissionOverview', overviewRequest(id)]
    queries.setQueryData<Overview>(queryKey, (now) => now && change(now))
    // what follows from it, such as what is to be done next, no answer holds; and its revision is no news from now on
    void queries.invalidateQueries({ queryKey })
  }
  return {
    shown,
    keep,
    foresee: (change, call) => {
      startTransition(async () => {
        show(change)
        await call()
      })
    },
  }
}

export function withMission(mission: Mission): Change {
  return (shown) => ({ ...shown, mission })
}

export function withObjective(objective: Objective): Change {
  return (shown) => ({
    ...shown,
    objectives: shown.objectives.map((one) => (one.id === objective.id ? objective : one)),
  })
}

export function withObjectives(mission: Mission, objectives: readonly Objective[]): Change {
  return (shown) => ({ ...shown, mission, objectives: [...objectives] })
}

/** Of one objective, the newest first. */
export function runsOf({ executionRequests }: Overview, objectiveId: string): ExecutionRequest[] {
  return executionRequests.filter((run) => run.objectiveId === objectiveId)
}
