import type { RouteRequest } from '@svc/contracts/rest'
import { rights as allRights } from '../../data/contracts.values.ts'
import {
  type AgentRow,
  type CheckRow,
  type LaunchTexts,
  type Setting,
  agentsIn,
  checksIn,
  commandsIn,
  variablesIn,
} from './launch-texts.ts'
import { isBlank, linesOf } from './rows.ts'

/** What is wrong with a field, by the path that the service would name it by. */
export type Problems = ReadonlyMap<string, string>

type Changes = Omit<RouteRequest<'updateLaunchSettings'>, 'id' | 'expectedRevision'>

/** What is sent of these parts; or what only the form can say is wrong: the service would not see it. */
export function changesOf(
  texts: LaunchTexts,
  changed: readonly Setting[],
): { changes: Changes; problems: Problems } {
  let changes: Changes = {}
  const problems = new Map<string, string>()
  for (const setting of changed) changes = { ...changes, ...partOf(setting, texts, problems) }
  return { changes, problems }
}

function partOf(setting: Setting, texts: LaunchTexts, problems: Map<string, string>): Changes {
  const text = texts[setting]
  switch (setting) {
    case 'preCommand':
      return { preCommand: text.trim() === '' ? null : text }
    case 'preLaunchCommands':
      return { preLaunchCommands: shownCommands(text) }
    case 'launchEnvVars':
      return {
        launchEnvVars: byName(
          setting,
          variablesIn(text)
            .filter((row) => !isBlank(row))
            .map(({ name, value }) => [name.trim(), value]),
          problems,
        ),
      }
    case 'agents':
      return {
        agents: byName(
          setting,
          agentsIn(text)
            .filter((row) => !isBlank(row))
            .map((row) => [row.agent.trim(), agentOf(row)]),
          problems,
        ),
      }
    case 'pushBranches':
      return { pushBranches: text === 'on' }
    case 'allowedCommands':
      return { allowedCommands: linesOf(text).map((line) => line.trim()) }
    case 'checks':
      return {
        checks: byName(
          setting,
          checksIn(text)
            .filter((row) => !isBlank(row))
            .map((row) => [row.name.trim(), checkOf(row, problems)]),
          problems,
        ),
      }
  }
}

function shownCommands(text: string): string[] {
  return commandsIn(text)
    .map(({ command }) => command)
    .filter((command) => command.trim() !== '')
}

/** Of two that have one name only one would be left. */
function byName<T>(
  setting: Setting,
  rows: readonly (readonly [string, T])[],
  problems: Map<string, string>,
): Record<string, T> {
  const names = rows.map(([name]) => name)
  for (const name of names) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      problems.set(`${setting}.${name}`, 'this name stands twice')
    }
  }
  return Object.fromEntries(rows)
}

function agentOf({ model, effort, rights, flags }: AgentRow) {
  const chosen = allRights.find((one) => one === rights)
  return {
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(effort.trim() !== '' && { reasoningEffort: effort.trim() }),
    ...(chosen && { rights: chosen }),
    ...(linesOf(flags).length > 0 && { flags: linesOf(flags) }),
  }
}

function checkOf({ name, command, seconds }: CheckRow, problems: Map<string, string>) {
  const given = seconds.trim()
  // what is no number would be sent as none at all
  if (!/^\d*$/.test(given)) {
    problems.set(`checks.${name.trim()}.timeoutSeconds`, 'give a whole number of seconds')
  }
  return { command, ...(/^\d+$/.test(given) && { timeoutSeconds: Number(given) }) }
}

/** The place of a command among those that are sent. */
export function commandPath(text: string, row: number): string {
  const before = commandsIn(text).slice(0, row)
  return `preLaunchCommands.${before.filter((one) => !isBlank(one)).length}`
}

/** What is wrong at a path or below it. */
export function problemAt(problems: Problems, path: string): string | undefined {
  const found = [...problems].filter(([at]) => at === path || at.startsWith(`${path}.`))
  return found.length === 0 ? undefined : found.map(([, message]) => message).join('; ')
}
