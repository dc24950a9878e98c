import { z } from 'zod'
import { Slug, Timestamp } from './ids.ts'
import { Role } from './permissions.ts'

/** The newest, and whether there are more than these. */
function newestOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ newest: z.array(z.strictObject(shape)), more: z.boolean() })
}

/** By what somebody is let in, or lets others act for them: what a reset of their account ends. */
export const HeldAccess = z.strictObject({
  /** Browsers that are signed in. */
  sessions: newestOf({
    browser: z.string(),
    from: z.string().nullable(),
    lastUsedAt: Timestamp,
  }),
  tokens: newestOf({ workspace: Slug, label: z.string(), prefix: z.string() }),
  applications: newestOf({ workspace: Slug, label: z.string(), prefix: z.string() }),
  /** Accounts at providers that are linked to theirs. */
  identities: newestOf({ issuer: z.string(), subject: z.string() }),
  /** Theirs that are connected: without a token they stop. */
  runners: newestOf({ workspace: Slug, label: z.string() }),
  /** What their runners have at this moment: it stops with them. */
  runs: newestOf({ workspace: Slug, objective: z.string(), runner: z.string() }),
})
export type HeldAccess = z.infer<typeof HeldAccess>

/** What somebody holds in one workspace, and loses with their membership. */
export const MemberAccess = z.strictObject({
  ...HeldAccess.pick({ tokens: true, applications: true, runners: true, runs: true }).shape,
  /** Those that they have made, which are worth nothing then. */
  invitations: newestOf({ email: z.string(), role: Role }),
})
export type MemberAccess = z.infer<typeof MemberAccess>

/** What a reset of that account ends, for a terminal. */
export function describeReset(account: string, held: HeldAccess): string {
  const rows = [
    ...textOf(
      'session',
      held.sessions,
      ({ browser, from }) => `${browser}, ${from ?? 'unknown network'}`,
    ),
    ...textOf(
      'linked account',
      held.identities,
      ({ issuer, subject }) => `${subject} at ${issuer}`,
    ),
    ...textOf(
      'token',
      held.tokens,
      ({ workspace, label, prefix }) => `${label} (${prefix}…) in ${workspace}`,
    ),
    ...textOf(
      'application',
      held.applications,
      ({ workspace, label }) => `${label} in ${workspace}`,
    ),
    ...textOf('runner', held.runners, ({ workspace, label }) => `${label} in ${workspace}`),
    ...textOf(
      'run',
      held.runs,
      ({ workspace, objective, runner }) => `${objective} in ${workspace}, on the runner ${runner}`,
    ),
  ]
  if (rows.length === 0)
    return `Nothing lets anybody in as ${account}, but a password if there is one.`
  return [`Once the link is used, this ends for ${account}:`, ...rows].join('\n')
}

/** What the end of a membership ends with it, for a terminal. */
export function describeRemoval(member: string, held: MemberAccess): string {
  const rows = [
    ...textOf('token', held.tokens, ({ label, prefix }) => `${label} (${prefix}…)`),
    ...textOf('application', held.applications, ({ label }) => label),
    ...textOf('runner', held.runners, ({ label }) => label),
    ...textOf('run', held.runs, ({ objective, runner }) => `${objective}, on the runner ${runner}`),
    ...textOf('invitation', held.invitations, ({ email, role }) => `${email}, as ${role}`),
  ]
  if (rows.length === 0) return `Nothing but the membership of ${member} ends.`
  return [`With the membership of ${member} this ends:`, ...rows].join('\n')
}

function textOf<T>(
  kind: string,
  { newest, more }: { newest: readonly T[]; more: boolean },
  say: (one: T) => string,
): string[] {
  // people and clients chose these names
  const rows = newest.map((one) => `  ${kind}: ${say(one).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')}`)
  return more ? [...rows, `  ${kind}: and more`] : rows
}
