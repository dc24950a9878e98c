import { type LaunchSettings, rightsOf } from '@svc/contracts/launch-settings'
import { rightsInWords } from '@svc/contracts/rights'
import { jsonLine, oneLine } from './terminal.ts'

type Kind = 'prefix' | 'flags' | 'rights' | 'command' | 'variable' | 'push' | 'allowed' | 'check'

interface Entry {
  kind: Kind
  what: string
  value: string
}

/** What it means to trust a thing, for a person who has to decide. */
const meaning: Readonly<Record<Kind, string>> = {
  prefix:
    'A command in front of the agent is what is started, and it starts the agent as it likes.',
  flags: 'Flags are given to the agent: some let it do without asking what it would ask for.',
  rights:
    'Rights are what an agent may do without being asked: it has `work` where nothing is said, and `all` is whatever it can do as you.',
  command:
    'A command before the agent runs in a shell, in the checkout, as you, with all that the runner has in its environment.',
  variable: 'Variables are set for these commands and for the agent, and can change what they do.',
  allowed:
    'An agent runs a command that it is allowed without asking, with any arguments, in the checkout, as you.',
  check:
    'A check runs in a shell before a delivery, in the checkout and outside of any sandbox of the agent, as you, with what the agent has written there.',
  push: 'Pushing brings the branches of runs to origin, with your credentials for Git.',
}

/** Everything that is to be trusted, nothing masked; `+` is new, `-` is gone, and each kind is said what it does. */
export function describeChange(now: LaunchSettings, before: LaunchSettings | undefined): string {
  const agents = [now, before].flatMap((settings) => Object.keys(settings?.agentRights ?? {}))
  const named = [...new Set(agents)]
  const has = [...entriesOf(now), ...rightsEntries(now, named)]
  const had = before ? [...entriesOf(before), ...rightsEntries(before, named)] : []
  const lines = has.flatMap((entry) => {
    const older = had.find(({ what }) => what === entry.what)
    if (older?.value === entry.value) return [line(' ', entry)]
    return older ? [line('-', older), line('+', entry)] : [line('+', entry)]
  })
  const gone = had.filter(({ what }) => has.every((entry) => entry.what !== what))
  const kinds = [...new Set(has.map(({ kind }) => kind))]
  return [
    ...lines,
    ...gone.map((entry) => line('-', entry)),
    ...(has.length === 0 ? ['  none'] : []),
    '',
    ...kinds.map((kind) => meaning[kind]),
  ].join('\n')
}

function entriesOf(settings: LaunchSettings): Entry[] {
  const { preCommand, agentFlags, preLaunchCommands, launchEnvVars, pushBranches } = settings
  const allowed = (settings.allowedCommands ?? []).map((value, index) => {
    return { kind: 'allowed', what: `command ${index + 1} that agents may run`, value } as const
  })
  const checks = Object.entries(settings.checks ?? {}).map(([name, check]) => {
    const { command, timeoutSeconds } = check
    const value =
      timeoutSeconds === undefined ? command : `${command} (${timeoutSeconds} s at most)`
    return { kind: 'check', what: `check ${name}`, value } as const
  })
  const flags = Object.entries(agentFlags).map(([agent, words]) => {
    return { kind: 'flags', what: `flags of ${agent}`, value: words.join(' ') } as const
  })
  const commands = preLaunchCommands.map((value, index) => {
    return { kind: 'command', what: `command ${index + 1} before the agent`, value } as const
  })
  const variables = Object.entries(launchEnvVars).map(([name, value]) => {
    return { kind: 'variable', what: `variable ${name}`, value } as const
  })
  return [
    ...(preCommand === null
      ? []
      : [{ kind: 'prefix', what: 'command in front of the agent', value: preCommand } as const]),
    ...flags,
    ...commands,
    ...variables,
    ...allowed,
    ...checks,
    ...(pushBranches
      ? [{ kind: 'push', what: 'branches', value: 'are pushed to origin' } as const]
      : []),
  ]
}

/** One entry for each of these agents, with the default rights where the settings name none for it. */
function rightsEntries(settings: LaunchSettings, agents: readonly string[]): Entry[] {
  return agents.map((agent) => {
    const rights = rightsOf(settings, agent)
    return {
      kind: 'rights',
      what: `rights of ${agent}`,
      value: `${rights}: it may ${rightsInWords[rights]}`,
    }
  })
}

function line(sign: string, { what, value }: Entry): string {
  return `${sign} ${oneLine(what)}: ${exactly(value)}`
}

/** What a terminal would hide, such as a second space or a line break, is spelled out. */
function exactly(value: string): string {
  return value !== '' && oneLine(value) === value ? value : jsonLine(value)
}
