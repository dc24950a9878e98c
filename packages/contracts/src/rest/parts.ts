import { z } from 'zod'
import { ExecutionRequest } from '../execution-request.ts'
import { freeText } from '../free-text.ts'
import { limits } from '../limits.ts'
import { AgentKey, MissionRef, ObjectiveRef, ProjectRef, Timestamp, Uuid } from '../ids.ts'
import { Mission } from '../mission.ts'
import { Objective } from '../objective.ts'
import { PausedQueue } from '../run-queue.ts'
import { PageQuery } from '../page.ts'
import { StatusType } from '../states.ts'

/** What several endpoints have alike. */
export const byId = <T extends z.ZodType>(id: T) => z.strictObject({ id })
export const missionParams = byId(MissionRef)
export const objectiveParams = byId(ObjectiveRef)
export const projectParams = byId(ProjectRef)
export const requestParams = byId(Uuid)
/** The machine that asks: answers then say how resources are linked there. */
export const deviceHeaders = z.strictObject({ 'x-svc-device': z.string().max(200).optional() })
/** The reason is recorded in the history of the mission. */
export const cancelBody = z.strictObject({
  reason: freeText().trim().min(1).max(300).optional(),
})
/** What a cancel answers in addition to the run. */
export const cancelled = {
  objective: Objective,
  alreadyFinished: z.boolean(),
  /** The run queue that this pauses: now, or once the run is over. */
  pausesQueue: PausedQueue.nullable(),
}
export const pageQuery = z.strictObject(PageQuery)
/**
 * UUIDs, comma-separated in an address. What is not there and what the caller may not see are left out alike. A page
 * holds `limit` of them, as always.
 */
export const IdList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(Uuid).max(limits.idsAtOnce))
  .describe(`UUIDs with commas between them, ${limits.idsAtOnce} at most`)
/** Comma-separated in an address. */
export const ProjectList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(ProjectRef).max(limits.projectsAtOnce))
  .describe(`UUID or slug, of several with commas between them, ${limits.projectsAtOnce} at most`)
/** Comma-separated in an address. */
export const AgentList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(AgentKey).max(100))
  .describe('agents, of several with commas between them')
/** How much of each instruction is answered. Of a longer one `instructionBytes` says how long it is. */
export const InstructionCharacters = z.coerce
  .number()
  .int()
  .min(0)
  .max(limits.instructionCharacters)
  .describe('how much of each instruction')
export const requestAnswer = z.strictObject({ executionRequest: ExecutionRequest })
export const missionAnswer = z.strictObject({ mission: Mission, objectives: z.array(Objective) })

/** What is deleted together, all of it or nothing. */
export const manyOf = <T extends z.ZodType>(ref: T) => z.array(ref).min(1).max(limits.deletedAtOnce)
/** True once a person has seen the list that a call without it answers, and approved it. */
export const confirm = z
  .boolean()
  .describe('true only after the person saw the list that a call without it returns')
  .optional()
/** The runs that the person saw and approved to end: a run that began after that list was made refuses the call. */
export const running = z
  .array(Uuid)
  .max(limits.objectivesPerMission)
  .describe('the running of that list: these runs are cancelled')
  .optional()
export const deletedAnswer = z.strictObject({
  deleted: z.array(z.strictObject({ id: Uuid, displayId: z.string(), title: z.string() })),
  /** What was queued is over; what ran is told to end, and is over a minute later at most. */
  cancelledRuns: z.int(),
  restorableUntil: Timestamp,
})

/** Comma-separated in an address. */
export const StatusTypeList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(StatusType).max(StatusType.options.length))

/** Read here, because the format knows years and offsets that the database refuses. */
export const Moment = Timestamp.transform((given) => new Date(given)).refine(
  (moment) => moment.getUTCFullYear() >= 1,
  { message: 'use a time after the year 0' },
)

/** Words apart by spaces. */
export const SearchText = z
  .string()
  .trim()
  .max(limits.searchCharacters)
  .refine((text) => text.split(/\s+/).length <= limits.searchWords, {
    message: `search for ${limits.searchWords} words at most`,
  })
