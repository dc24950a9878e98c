import { z } from 'zod'

export const Uuid = z.uuid()

/** A project's slug, the first part of every display id below it. */
export const Slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'use 1 to 40 of a-z, 0-9 and inner dashes')

export const missionDisplayId = /^[a-z0-9][a-z0-9-]{0,39}:[1-9][0-9]{0,8}$/
export const objectiveDisplayId =
  /^[a-z0-9][a-z0-9-]{0,39}:[1-9][0-9]{0,8}\.[0-9a-hjkmnp-tv-z]{4,5}$/

/** `<slug>:<sequence>` */
export const MissionDisplayId = z
  .string()
  .regex(missionDisplayId, 'a mission display id reads slug:12')
/** `<slug>:<sequence>.<key>` */
export const ObjectiveDisplayId = z
  .string()
  .regex(objectiveDisplayId, 'an objective display id reads slug:12.k7qd')

export const MissionRef = z
  .union([Uuid, MissionDisplayId], 'name a mission by its display id, as in web:12, or its UUID')
  .describe('UUID or display id such as web:12')
export const ObjectiveRef = z
  .union(
    [Uuid, ObjectiveDisplayId],
    'name an objective by its display id, as in web:12.k7qd, or its UUID',
  )
  .describe('display id such as web:12.k7qd, or UUID')
export const ProjectRef = z
  .union([Uuid, Slug], 'name a project by its slug or its UUID')
  .describe('UUID or slug')

/** A name that git takes for a branch and for nothing else: no refspec, no option, no path out of refs/heads. */
export const BranchName = z
  .string()
  .max(200)
  .regex(
    /^(?![-/.])(?!(?:@|HEAD)$)(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[^\s~^:?*[\]\\+\p{Cc}]+(?<![/.])$/u,
    'use a branch name that git takes, such as main or release/2.1',
  )

export const ResourceKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'use 1 to 63 of a-z, 0-9, dot, dash and underscore')
export const AgentKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'use 1 to 40 of a-z, 0-9, dash and underscore')

/* oxlint-disable no-control-regex -- control characters are what these are about */
/** One line that travels as an argument or as text, and through no shell. */
export const word = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\u0000-\u001f\u007f]+$/, 'write it in one line, without control characters')

/** The value of an option of the agent, which must not be read as another one. */
const optionValue = () =>
  z
    .string()
    .max(300)
    .regex(
      /^[^-\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$/,
      'write it in one line, without control characters and without a dash in front',
    )
/* oxlint-enable no-control-regex */
export const ModelName = optionValue()
export const Effort = optionValue()

export const Timestamp = z.iso.datetime({ offset: true })
export const Revision = z.int().min(1)

export function isMissionDisplayId(ref: string): boolean {
  return missionDisplayId.test(ref)
}

export function isObjectiveDisplayId(ref: string): boolean {
  return objectiveDisplayId.test(ref)
}

export function isSlug(ref: string): boolean {
  return Slug.safeParse(ref).success
}

export function isUuid(ref: string): boolean {
  return Uuid.safeParse(ref).success
}

/** The mission that an objective's display id names. */
export function missionOfDisplayId(ref: string): string {
  return ref.slice(0, ref.indexOf('.'))
}

interface MissionScope {
  missionId?: string | undefined
  objectiveId?: string | undefined
  sessionKey?: string | undefined
}

/**
 * The id rule of mission-scoped calls: a display id names its mission; a UUID of an objective needs `missionId`
 * with it. Decision 71.
 */
export function namesItsMission(scope: MissionScope): boolean {
  if (scope.missionId !== undefined || scope.sessionKey !== undefined) return true
  return scope.objectiveId !== undefined && isObjectiveDisplayId(scope.objectiveId)
}

export const namesItsMissionMessage =
  'name the mission: missionId, or objectiveId as a display id such as web:12.k7qd'

/** How a call names its mission; together the two must agree. */
export const missionScope = {
  missionId: MissionRef.optional(),
  objectiveId: ObjectiveRef.optional(),
}
