import { z } from 'zod'
import { ExecutionRequest } from '../execution-request.ts'
import { freeText } from '../free-text.ts'
import { MissionRef, ObjectiveRef, ProjectRef, Uuid } from '../ids.ts'
import { Mission } from '../mission.ts'
import { Objective } from '../objective.ts'
import { PageQuery } from '../page.ts'

/** What several endpoints have alike. */
export const byId = <T extends z.ZodType>(id: T) => z.strictObject({ id })
export const missionParams = byId(MissionRef)
export const objectiveParams = byId(ObjectiveRef)
export const projectParams = byId(ProjectRef)
export const requestParams = byId(Uuid)
/** The machine that asks: answers then say how resources are linked there. */
export const deviceHeaders = z.strictObject({ 'x-svc-device': z.string().max(200).optional() })
/** The reason is told in the history of the mission. */
export const cancelBody = z.strictObject({
  reason: freeText().trim().min(1).max(300).optional(),
})
export const pageQuery = z.strictObject(PageQuery)
export const requestAnswer = z.strictObject({ executionRequest: ExecutionRequest })
export const missionAnswer = z.strictObject({ mission: Mission, objectives: z.array(Objective) })
