import type { Client } from '@svc/client/client'
import type { Candidate, ForecastSettings } from '@svc/contracts/launch-forecast'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { type Cli, print } from '../cli.ts'
import { exitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { withStep } from './next-step.ts'
import { table } from './table.ts'

/** What a launch would be made with, and who could take it. It fails where it would be refused. */
export async function printForecast(
  cli: Cli,
  client: Client,
  wanted: RouteRequest<'forecastLaunch'>,
): Promise<void> {
  const answer = await client.call('forecastLaunch', wanted)
  await print(cli, answer, () => describe(cli, answer))
  const { refusal } = answer
  if (!refusal) return
  const message = withStep(refusal.message, refusal.next)
  throw new CommandFailure(refusal.code, message, exitCode.conflict)
}

function describe(
  cli: Cli,
  { settings, needsTrust, candidates }: RouteOutput<'forecastLaunch'>,
): string {
  const made = table(['SETTING', 'VALUE', 'FROM'], rowsOf(settings), cli.stdout)
  if (candidates === null) return made
  if (candidates.length === 0) return `${made}\n\nThe workspace has no runner.`
  const runners = candidates.map(({ runner, able, reasons }) => [
    runner.label,
    takesIt(able, reasons),
    reasons.map(({ message }) => message).join(' '),
  ])
  const judged = table(['RUNNER', 'TAKES IT', 'WHY'], runners, cli.stdout)
  return [made, judged, ...(needsTrust ? [trustSentence] : [])].join('\n\n')
}

const trustSentence =
  'A runner ends it at once unless its machine trusts the launch settings of the project: there, see svc runner trust.'

function takesIt(able: boolean, reasons: Candidate['reasons']): string {
  if (!able) return 'no'
  return reasons.length === 0 ? 'now' : 'later'
}

const sources: Readonly<Record<ForecastSettings['agent']['source'], string>> = {
  request: 'this command',
  objective: 'the objective',
  project: 'the project',
  default: '-',
}

const names: Readonly<Record<keyof ForecastSettings, string>> = {
  agent: 'agent',
  model: 'model',
  reasoningEffort: 'effort',
  resourceKey: 'resource',
  rights: 'rights',
  flags: 'flags',
  preCommand: 'in front of it',
  checks: 'checks',
}

function rowsOf(settings: ForecastSettings): string[][] {
  // the keys of an object literal are those of its type
  return (Object.keys(names) as (keyof ForecastSettings)[]).map((key) => {
    const { value, source } = settings[key]
    const text = Array.isArray(value) ? value.join(' ') : value
    return [names[key], text || '-', sources[source]]
  })
}
