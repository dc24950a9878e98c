import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import { type Row, linesOf, readRows, writeRows } from './rows.ts'

/** Each of the launch settings, written as one text: the draft of that part of the form. */
export type Setting = Exclude<keyof ProjectLaunchSettings, 'revision'>
export type LaunchTexts = Readonly<Record<Setting, string>>

export const commandFields = ['command'] as const
export const variableFields = ['name', 'value'] as const
export const agentFields = ['agent', 'model', 'effort', 'rights', 'flags'] as const
export const checkFields = ['name', 'command', 'seconds'] as const

export type CommandRow = Row<(typeof commandFields)[number]>
export type VariableRow = Row<(typeof variableFields)[number]>
export type AgentRow = Row<(typeof agentFields)[number]>
export type CheckRow = Row<(typeof checkFields)[number]>

export const commandsIn = (text: string): CommandRow[] => readRows(commandFields, text)
export const variablesIn = (text: string): VariableRow[] => readRows(variableFields, text)
export const agentsIn = (text: string): AgentRow[] => readRows(agentFields, text)
export const checksIn = (text: string): CheckRow[] => readRows(checkFields, text)

export function textsOf(settings: ProjectLaunchSettings): LaunchTexts {
  const { agents, checks, launchEnvVars } = settings
  return {
    preCommand: settings.preCommand ?? '',
    preLaunchCommands: writeRows(
      commandFields,
      settings.preLaunchCommands.map((command) => ({ command })),
    ),
    launchEnvVars: writeRows(
      variableFields,
      Object.entries(launchEnvVars).map(([name, value]) => ({ name, value })),
    ),
    agents: writeRows(
      agentFields,
      Object.entries(agents).map(([agent, { model, reasoningEffort, rights, flags }]) => ({
        agent,
        model: model ?? '',
        effort: reasoningEffort ?? '',
        rights: rights ?? '',
        flags: (flags ?? []).join('\n'),
      })),
    ),
    pushBranches: settings.pushBranches ? 'on' : '',
    allowedCommands: settings.allowedCommands.join('\n'),
    checks: writeRows(
      checkFields,
      Object.entries(checks).map(([name, { command, timeoutSeconds }]) => ({
        name,
        command,
        seconds: timeoutSeconds === undefined ? '' : String(timeoutSeconds),
      })),
    ),
  }
}

const lines = (text: string) => linesOf(text).join('\n')
const named = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ')

/** As a text that people compare. */
export function describeSetting(setting: Setting, text: string): string {
  switch (setting) {
    case 'preCommand':
      return text
    case 'allowedCommands':
      return lines(text)
    case 'pushBranches':
      return text === 'on' ? 'pushed to origin' : 'left where they are'
    case 'preLaunchCommands':
      return commandsIn(text)
        .map(({ command }) => command)
        .join('\n')
    case 'launchEnvVars':
      return variablesIn(text)
        .map(({ name, value }) => `${name}=${value}`)
        .join('\n')
    case 'agents':
      return agentsIn(text)
        .map(({ agent, model, effort, rights, flags }) =>
          named(
            `${agent}: rights ${rights || 'as where nothing is set'}`,
            model && `model ${model}`,
            effort && `effort ${effort}`,
            flags && `flags ${linesOf(flags).join(' ')}`,
          ),
        )
        .join('\n')
    case 'checks':
      return checksIn(text)
        .map(({ name, command, seconds }) =>
          named(`${name}: ${command}`, seconds && `${seconds} seconds at most`),
        )
        .join('\n')
  }
}
