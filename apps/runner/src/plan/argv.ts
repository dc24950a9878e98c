import { Effort, ModelName } from '@svc/contracts/ids'
import { LaunchFlag } from '@svc/contracts/launch-settings'
import type { Rights } from '@svc/contracts/rights'
import type { Adapter, Slot } from '../agents/adapter.ts'
import { LaunchFailure } from '../launch-failure.ts'

export interface ArgvInput {
  model: string | null
  effort: string | null
  flags: readonly string[]
  rights: Rights
  /** What it may run without being asked. */
  allowedCommands: readonly string[]
  contextFile: string
  /** Text of the briefing, for agents that do not read it from a file. */
  briefing: string
  cwd: string
  /** Git's own folder of the repository, which a commit writes to; empty without a repository. */
  gitFolder: string
  /** The run's working trees of other resources, and Git's own folders of these. */
  otherFolders: readonly string[]
  otherGitFolders: readonly string[]
  sessionId: string
  /** `sessionId` is of a conversation that it goes on with. */
  isResumed: boolean
  message: string
}

/** Linux takes no single argument above 128 KiB. */
const longestArgument = 100_000
/** A placeholder in quotes becomes a text of the configuration, whatever its value holds. */
const placeholder = /"\{([A-Za-z]+)\}"|\{([A-Za-z]+)\}/g

/** The arguments behind the agent's own command. */
export function agentArguments(adapter: Adapter, input: ArgvInput): string[] {
  refuseOptions(input)
  return fillWords(adapter, input, slotValues(adapter, input))
}

function wordsOf({ argv, resumeArgv }: Adapter, { isResumed }: ArgvInput) {
  return isResumed && resumeArgv.length > 0 ? resumeArgv : argv
}

/** The same arguments as they may be shown: a briefing that travels as text is named and not repeated. */
export function shownArguments(adapter: Adapter, input: ArgvInput): string[] {
  if (adapter.briefing === 'system_prompt_file') return agentArguments(adapter, input)
  const values = { ...slotValues(adapter, input), briefing: '<briefing>' }
  return fillWords(adapter, input, values)
}

function fillWords(adapter: Adapter, input: ArgvInput, values: SlotValues): string[] {
  return wordsOf(adapter, input)
    .flatMap((group) =>
      slotsOf(group).includes('rights') ? (adapter.rights?.[input.rights] ?? []) : [group],
    )
    .flatMap((group) => fillRepeated(group, input, values))
}

/** A group that may be said several times: once for each flag, command or folder. */
function fillRepeated(group: readonly string[], input: ArgvInput, values: SlotValues): string[] {
  const slots = slotsOf(group)
  if (slots.includes('flags')) return [...input.flags]
  if (slots.includes('allowedCommand')) {
    return input.allowedCommands.flatMap((allowedCommand) =>
      fillGroup(group, { ...values, allowedCommand }),
    )
  }
  if (!slots.includes('otherFolder')) return fillGroup(group, values)
  return input.otherFolders.flatMap((otherFolder) => fillGroup(group, { ...values, otherFolder }))
}

type SlotValues = Readonly<Record<string, string>>

function slotValues(
  adapter: Adapter,
  input: ArgvInput,
): Record<Exclude<Slot, 'flags' | 'rights' | 'allowedCommand' | 'otherFolder'>, string> {
  return {
    model: input.model ?? '',
    effort: input.effort ?? '',
    briefing: briefingValue(adapter, input),
    cwd: input.cwd,
    gitFolder: input.gitFolder,
    writableFolders: writableFolders(input),
    sessionId: input.sessionId,
    message: input.message,
  }
}

function briefingValue({ briefing }: Adapter, input: ArgvInput): string {
  if (briefing === 'system_prompt_file') return input.contextFile
  if (briefing === 'first_message') return ''
  const fits = Buffer.byteLength(input.briefing) <= longestArgument
  const text = fits ? input.briefing : `Read the file ${input.contextFile} before anything else.`
  return briefing === 'config_key' ? textLiteral(text) : text
}

/** What a sandbox has to let it write to in addition to the folder in which it starts. */
function writableFolders({ gitFolder, otherFolders, otherGitFolders }: ArgvInput): string {
  const folders = [gitFolder, ...otherFolders, ...otherGitFolders].filter((path) => path !== '')
  return folders.length === 0 ? '' : `[${[...new Set(folders)].map(textLiteral).join(',')}]`
}

/** A JSON string is a TOML basic string too, once DEL is spelled out. */
function textLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

function slotsOf(group: readonly string[]): string[] {
  return group.flatMap((word) =>
    [...word.matchAll(placeholder)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
  )
}

function fillGroup(group: readonly string[], values: SlotValues): string[] {
  if (slotsOf(group).some((name) => values[name] === '')) return []
  return group.map((word) =>
    word.replaceAll(placeholder, (written: string, quoted?: string, bare?: string) => {
      const value = values[quoted ?? bare ?? '']
      if (value === undefined) return written
      return quoted === undefined ? value : textLiteral(value)
    }),
  )
}

/** Refuses values that the agent's command line would read as options: others wrote them. */
export function refuseOptions({
  model,
  effort,
  flags,
}: Pick<ArgvInput, 'model' | 'effort' | 'flags'>): void {
  if (model !== null && !ModelName.safeParse(model).success) refuse('The model', model)
  if (effort !== null && !Effort.safeParse(effort).success) refuse('The reasoning effort', effort)
  for (const flag of flags) {
    if (!LaunchFlag.safeParse(flag).success) refuse('The flag', flag)
  }
}

function refuse(what: string, value: string): never {
  throw new LaunchFailure(
    'bad_flag',
    `${what} ${JSON.stringify(value)} cannot stand on a command line: leave out line breaks and control characters, and keep a model or an effort from beginning with a dash.`,
    'prepare',
  )
}
