import type { PreviewedLaunch } from '@svc/contracts/previewed-launch'
import { limits, rightsInWords } from '../../data/contracts.values.ts'

/** A line of what a launch is made with: now, once what is written is saved, or both. */
export interface Line {
  text: string
  of: 'now' | 'later' | 'both'
}

export interface PreviewRow {
  label: string
  lines: readonly Line[]
  /** They are words for a machine. */
  isCode: boolean
}

interface Both {
  before: PreviewedLaunch
  after: PreviewedLaunch
}

/** What a launch would be made with, in the order in which it is used. Values of variables may be secrets. */
export function previewRows({ before, after }: Both, showsValues: boolean): PreviewRow[] {
  const rowOf =
    (isCode: boolean) => (label: string, of: (launch: PreviewedLaunch) => string[]) => ({
      label,
      lines: compareLines(of(before), of(after)),
      isCode,
    })
  const [code, words] = [rowOf(true), rowOf(false)]
  const variables = code('Variables', variablesOf)
  return [
    code('Before the agent', ({ launchSettings }) => launchSettings.preLaunchCommands),
    showsValues ? variables : { ...variables, lines: variables.lines.map(withoutValue) },
    code('Started as', startOf),
    words('Model', ({ config }) => [config.model.value ?? 'the agent’s own']),
    words('Effort', ({ config }) => [config.reasoningEffort.value ?? 'the agent’s own']),
    words('It may', ({ rights }) => [rightsInWords[rights.value]]),
    code('It may run', ({ launchSettings }) => launchSettings.allowedCommands ?? []),
    code('Before its delivery', checksOf),
    words('Its branches', ({ launchSettings }) => [
      launchSettings.pushBranches ? 'are pushed to origin' : 'stay on the machine',
    ]),
  ]
}

function withoutValue({ text, of }: Line): Line {
  const [name = ''] = text.split('=', 1)
  return { text: name, of }
}

function variablesOf({ launchSettings: { launchEnvVars } }: PreviewedLaunch): string[] {
  return Object.entries(launchEnvVars).map(([name, value]) => `${name}=${value}`)
}

/** What of the command is the project's; the rest is the runner's, and known there alone. */
function startOf({ config: { preCommand, agent, flags } }: PreviewedLaunch): string[] {
  const words = [...(preCommand.value === null ? [] : [preCommand.value]), agent.value]
  return [[...words, ...flags.value].join(' ')]
}

function checksOf({ launchSettings: { checks = {} } }: PreviewedLaunch): string[] {
  return Object.entries(checks)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { command, timeoutSeconds = limits.checkSeconds }]) => {
      return `${name}: ${command} (${timeoutSeconds} seconds at most)`
    })
}

/** Those that go, then those that stay and come; where the same ones stand in another order, all of them. */
export function compareLines(now: readonly string[], later: readonly string[]): Line[] {
  const stay = (lines: readonly string[], others: readonly string[]) =>
    lines.filter((line) => others.includes(line))
  const isSameOrder = stay(now, later).join('\n') === stay(later, now).join('\n')
  const isBoth = (line: string) => isSameOrder && now.includes(line) && later.includes(line)
  return [
    ...now.filter((line) => !isBoth(line)).map((text): Line => ({ text, of: 'now' })),
    ...later.map((text): Line => ({ text, of: isBoth(text) ? 'both' : 'later' })),
  ]
}
