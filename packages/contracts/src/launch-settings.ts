import { z } from 'zod'
import { Checks } from './check.ts'
import { AgentKey, Effort, ModelName, Revision, word } from './ids.ts'
import { isReservedVariable } from './launch-environment.ts'
import { limits } from './limits.ts'
import { Rights, covers, defaultRights } from './rights.ts'
import { splitWords } from './shell-words.ts'
import { maskTokens } from './token-form.ts'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** A text of which every runner of the project reads each character, so none may be a token of ours. */
const shared = () => z.string().refine(holdsNoToken, noToken)
const noToken = 'leave tokens of the service out of it'

function holdsNoToken(text: string): boolean {
  return maskTokens(text) === text
}

/** One word behind an agent's command, as it is: an option, its value, or both. */
export const LaunchFlag = word(2_000).refine(holdsNoToken, noToken)

const PreCommand = shared()
  .trim()
  .min(1)
  .max(1000)
  .refine((text) => isSplittable(text), 'close every quote')

function isSplittable(text: string): boolean {
  try {
    return splitWords(text).length > 0
  } catch {
    return false
  }
}

/** Plain words: a bracket, a quote or a wildcard would mean something else in the rights of an agent. */
const AllowedCommand = shared()
  .max(200)
  .regex(
    /^[\w./@:=+-]+(?: [\w./@:=+-]+)*$/,
    'use plain words such as `npm test`, without quotes, brackets and wildcards',
  )

const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'use letters, digits and underscores')
  .refine((name) => !isReservedVariable(name), 'this name is set by the runner, or may not be set')

const LaunchEnvVars = z
  .record(VariableName, shared())
  .refine(
    (given) => Object.keys(given).length <= limits.launchVariables,
    `give at most ${limits.launchVariables}`,
  )
  .refine(
    (given) => bytesOf(given) <= limits.launchVariableBytes,
    `keep all of them within ${limits.launchVariableBytes / 1024} KiB`,
  )

const AgentSettings = z.strictObject({
  model: ModelName.optional(),
  reasoningEffort: Effort.optional(),
  /** What it may do without being asked; `work` when left out. */
  rights: Rights.optional(),
  flags: z
    .array(LaunchFlag)
    .max(50)
    .refine(
      (given) => bytesOf(given) <= limits.launchFlagBytes,
      `keep all of them within ${limits.launchFlagBytes / 1024} KiB`,
    )
    .optional(),
})

/** What a project has its runs started with. Placeholders stay as they are written. */
export const launchSettings = {
  /** Words in front of the agent's own command. */
  preCommand: PreCommand.nullable(),
  /** In turn to one shell, before the agent starts; it gets the variables that they leave. */
  preLaunchCommands: z.array(shared().trim().min(1).max(4000)).max(20),
  launchEnvVars: LaunchEnvVars,
  agents: z
    .record(AgentKey, AgentSettings)
    .refine((given) => Object.keys(given).length <= 50, 'give at most 50'),
  /** A runner brings the branches of its runs to `origin`. */
  pushBranches: z.boolean(),
  /** What agents may run without being asked, with any arguments behind it. */
  allowedCommands: z.array(AllowedCommand).max(50),
  /** What is run in the checkout of a run before its delivery is taken. */
  checks: Checks,
}

export const ProjectLaunchSettings = z.strictObject({ ...launchSettings, revision: Revision })
export type ProjectLaunchSettings = z.infer<typeof ProjectLaunchSettings>

/** What a runner is to trust before it starts anything with it. Of one that wrote more or less, the rest is left out. */
export const LaunchSettings = z.object({
  preCommand: z.string().nullable(),
  preLaunchCommands: z.array(z.string()),
  launchEnvVars: z.record(z.string(), z.string()),
  /** By agent; one without flags is left out. */
  agentFlags: z.record(z.string(), z.array(z.string())).default({}),
  pushBranches: z.boolean().default(false),
  /** Left out where there are none, so that what was trusted before there were any stays trusted. */
  allowedCommands: z.array(z.string()).min(1).optional(),
  /** By agent, where they are others than `work`; left out where none are, for the same reason. */
  agentRights: z.record(z.string(), Rights).optional(),
  /** Left out where there are none, likewise. */
  checks: z
    .record(z.string(), z.object({ command: z.string(), timeoutSeconds: z.number().optional() }))
    .optional(),
})
export type LaunchSettings = z.infer<typeof LaunchSettings>

/** Picks those stored settings of a project that a runner has to trust before it launches. */
export function launchSettingsOf({
  preCommand,
  preLaunchCommands,
  launchEnvVars,
  agents,
  pushBranches,
  allowedCommands,
  checks,
}: Omit<ProjectLaunchSettings, 'revision'>): LaunchSettings {
  const agentFlags = Object.fromEntries(
    Object.entries(agents).flatMap(([agent, { flags = [] }]) =>
      flags.length === 0 ? [] : [[agent, flags]],
    ),
  )
  const agentRights = Object.fromEntries(
    Object.entries(agents).flatMap(([agent, { rights = defaultRights }]) =>
      rights === defaultRights ? [] : [[agent, rights]],
    ),
  )
  return {
    preCommand,
    preLaunchCommands,
    launchEnvVars,
    agentFlags,
    pushBranches,
    ...(allowedCommands.length > 0 && { allowedCommands }),
    ...(Object.keys(agentRights).length > 0 && { agentRights }),
    ...(Object.keys(checks).length > 0 && { checks }),
  }
}

/** What an agent of the project may do, before the bound of a runner. */
export function rightsOf(
  { agentRights = {} }: Pick<LaunchSettings, 'agentRights'>,
  agent: string,
): Rights {
  // an agent may be called as what every object has
  const own = Object.hasOwn(agentRights, agent) ? agentRights[agent] : undefined
  return own ?? defaultRights
}

/** Agents that may do more than before. */
export function raisedAgents(now: LaunchSettings, before: LaunchSettings): string[] {
  const named = [now, before].flatMap(({ agentRights = {} }) => Object.keys(agentRights))
  return named.filter((agent) => !covers(rightsOf(before, agent), rightsOf(now, agent)))
}

/** Of what a runner is to trust, that which a launch with this agent uses. */
export function usedBy(agent: string, settings: LaunchSettings): LaunchSettings {
  const { agentFlags, agentRights = {}, ...ofAll } = settings
  // an agent may be called as what every object has
  const only = <T>(ofAgents: Record<string, T>) =>
    Object.fromEntries(Object.entries(ofAgents).filter(([name]) => name === agent))
  return { ...ofAll, agentFlags: only(agentFlags), agentRights: only(agentRights) }
}

/** There is nothing in them that a runner would have to trust: rights below the default take something away. */
export function addsNothing(settings: LaunchSettings): boolean {
  const { preCommand, preLaunchCommands, launchEnvVars, agentFlags, pushBranches } = settings
  const { allowedCommands = [], agentRights = {}, checks = {} } = settings
  const names = [launchEnvVars, agentFlags, checks].flatMap((one) => Object.keys(one))
  const raised = Object.values(agentRights).filter((rights) => !covers(defaultRights, rights))
  const lists = [preLaunchCommands, names, allowedCommands, raised]
  return preCommand === null && !pushBranches && lists.every((list) => list.length === 0)
}
