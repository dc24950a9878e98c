import { z } from 'zod'
import { namesItsMission, namesItsMissionMessage } from '../ids.ts'
import { limits } from '../limits.ts'
import { Mission } from '../mission.ts'
import { Objective, ObjectiveInput } from '../objective.ts'
import { Project } from '../project.ts'
import { RunQueue, RunQueueEntry } from '../run-queue.ts'

export const namesMission = [namesItsMission, { message: namesItsMissionMessage }] as const

/** As in the query of a REST list, where numbers come as text. */
export const pageArguments = {
  limit: z.int().min(1).max(limits.pageItemsMax).default(limits.pageItems),
  cursor: z.string().max(200).describe('nextCursor of the page before').optional(),
}

/**
 * Without the resource to run on: no tool names an execution target. Decision 64. Nor does one choose the check that
 * its own work has to pass.
 */
export const ToolObjectiveInput = ObjectiveInput.omit({ resource_key: true, check: true })

export const ProjectName = Project.pick({ id: true, slug: true, name: true })
export const MissionLine = Mission.pick({
  id: true,
  displayId: true,
  title: true,
  status: true,
  priority: true,
  phase: true,
  hasOpenQuestion: true,
  updatedAt: true,
})
export const ObjectiveLine = Objective.pick({
  id: true,
  displayId: true,
  position: true,
  title: true,
  state: true,
})

export const QueueLine = RunQueue.pick({
  id: true,
  name: true,
  position: true,
  isDefault: true,
  state: true,
  pauseReason: true,
  revision: true,
})
export const EntryLine = RunQueueEntry.pick({
  id: true,
  objectiveId: true,
  displayId: true,
  title: true,
  state: true,
  reason: true,
})

/** Where a person sees it, in a browser. */
export const page = { page: z.url().optional() }

/** Present when texts were shortened or entries left out to keep the result readable. */
export const truncated = { truncated: z.boolean().optional() }
