import { z } from 'zod'
import { AgentKey } from '@svc/contracts/ids'
import { Rights } from '@svc/contracts/rights'
import { LimitRow } from './limit-row.ts'
import { OutputPath } from './output-path.ts'
import { UsagePath } from './told-usage.ts'

/** Names that may stand in braces inside an argument; an argument with an empty one is dropped with its group. */
export const slots = [
  'model',
  'effort',
  'briefing',
  'cwd',
  'gitFolder',
  'writableFolders',
  'otherFolder',
  'sessionId',
  'flags',
  'rights',
  'allowedCommand',
  'message',
] as const
export type Slot = (typeof slots)[number]

/**
 * Words that belong together, such as a flag and its value. `{flags}` stands for any number of words, `{rights}` for the
 * groups of what the run may do; a group with `{allowedCommand}` is said once for each command that the project allows, and one with `{otherFolder}` once for each
 * working tree that it has in addition to its own.
 */
const Group = z.array(z.string()).min(1)

const Row = z.strictObject({
  key: AgentKey,
  /**
   * How it is spoken with: by its arguments alone, or by the Agent Client Protocol. `command` is a step without a model,
   * which is not spoken with.
   */
  protocol: z.enum(['argv', 'acp', 'command']).default('argv'),
  binary: z.string().min(1),
  versionArgs: z.array(z.string()).default(['--version']),
  argv: z.array(Group),
  /** In place of `argv`, to go on with the conversation of `{sessionId}`; without it an agent always begins anew. */
  resumeArgv: z.array(Group).default([]),
  /** What takes the place of `{rights}`, by what a run may do. Left out: the agent is held to nothing but its flags. */
  rights: z.record(Rights, z.array(Group)).optional(),
  /** What it is held to, where it cannot be held to exactly what a right says of all agents. */
  rightsInWords: z.partialRecord(Rights, z.string().min(1)).optional(),
  briefing: z
    .enum(['system_prompt_file', 'system_prompt_text', 'config_key', 'first_message'])
    .default('first_message'),
  sessionId: z.enum(['preassigned', 'read', 'none']).default('none'),
  /** With `sessionId: read`. */
  sessionIdAt: OutputPath.optional(),
  usage: z
    .strictObject({
      inputTokens: UsagePath.optional(),
      outputTokens: UsagePath.optional(),
      usd: UsagePath.optional(),
    })
    .default({}),
  /**
   * With protocol `acp`, of what the tokens are that it tells at the end of its turn. Those of its last answer alone are
   * none of the run.
   */
  tokensOf: z.enum(['turn', 'answer']).optional(),
  /** Where it says what went wrong; the last one that comes is reported. */
  errors: z.array(OutputPath).default([]),
  /** What it says where its provider takes no work from it, which is no failure of the run. */
  limits: z.array(LimitRow).default([]),
  /** How it is asked, without a model, whether somebody is signed in, and what it prints only where nobody is. */
  signIn: z
    .strictObject({
      args: z.array(z.string()).min(1),
      nobody: z.array(z.string().min(1)).min(1),
      /** Variables that stand in for signing in: with one of them nothing is asked. */
      unless: z.array(z.string()).default([]),
    })
    .optional(),
})

export const Adapter = Row.refine(
  (row) => row.sessionId !== 'read' || row.sessionIdAt !== undefined,
  {
    path: ['sessionIdAt'],
    error: 'say where the session id stands, or choose another sessionId',
  },
).refine(hasPlaceForRights, {
  path: ['rights'],
  error: 'put ["{rights}"] into argv, and into resumeArgv, where these words belong',
})
export type Adapter = z.infer<typeof Adapter>

/** Whether it can be told to go on with a conversation of before; whether that is still there is seen then. */
export function canGoOn({ protocol, resumeArgv }: Adapter): boolean {
  return protocol === 'acp' || resumeArgv.length > 0
}

/** Words that stand nowhere would hold the agent to nothing. */
function hasPlaceForRights({ rights, argv, resumeArgv }: z.infer<typeof Row>): boolean {
  if (Object.values(rights ?? {}).every((groups) => groups.length === 0)) return true
  const used = resumeArgv.length === 0 ? [argv] : [argv, resumeArgv]
  return used.every((groups) => groups.flat().includes('{rights}'))
}

/** `<home>/agents.json`: rows of the same shape; one with a built-in key replaces it. */
export const AdapterFile = z.array(Adapter)
