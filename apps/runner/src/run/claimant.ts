import { z } from 'zod'
import { addressOf } from '../files/trust-file.ts'

/** Who is signed in: a token is of one person, in one workspace. */
export const Person = z.object({
  userId: z.string(),
  email: z.string(),
  workspaceId: z.string(),
  /** Its slug. */
  workspace: z.string(),
})
export type Person = z.infer<typeof Person>

/** For whom a run was claimed: a token of anybody else says nothing of it, and is not shown to its service. */
export const Claimant = z.object({
  service: z.url(),
  /** Earlier versions did not write it down; of a daemon it is unknown where the service does not take its token. */
  person: Person.optional(),
})
export type Claimant = z.infer<typeof Claimant>

export function isSamePerson(one: Person, other: Person): boolean {
  return one.userId === other.userId && one.workspaceId === other.workspaceId
}

/** As people know it. */
export function describeClaimant({ service, person }: Claimant): string {
  return person === undefined
    ? service
    : `${service}, workspace ${person.workspace}, ${person.email}`
}

/** Whether what `mine` is signed in as may go on with what was claimed for that one. */
export function isClaimant({ service, person }: Claimant, mine: Claimant): boolean {
  if (addressOf({ service }) !== addressOf(mine)) return false
  return person === undefined || (mine.person !== undefined && isSamePerson(person, mine.person))
}
