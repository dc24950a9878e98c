import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, usageFailure } from '../output/failure.ts'
import { oneText } from '../structured-options.ts'
import { orNothing, readRunFacts } from './run-file.ts'

/** What the operations of an agent take alike, and what they come to. */
export type Options = Record<string, string | undefined>

export function withScope(command: Command): Command {
  return command
    .option('--mission-id <mission>', 'display id or UUID; else SVC_MISSION_ID')
    .option('--objective-id <objective>', 'display id or UUID; else SVC_OBJECTIVE_ID')
}

export function withSession(command: Command): Command {
  return command.option('--session-key <key>', 'the key from attach; remembered within a run')
}

export function withContent(command: Command): Command {
  return command
    .option('--content-text <text>', 'its content')
    .option('--content-file <path>', 'the same from a file, - for stdin')
    .option('--external-url <url>', 'where it lies instead')
}

export async function contentOf(options: Options): Promise<Record<string, unknown>> {
  const { contentText, contentFile, label, externalUrl } = options
  const text = await oneText(contentText, contentFile, '--content-text', '--content-file')
  return { label, contentText: text, externalUrl }
}

/**
 * From `--session-key`, else what attach has stored for this run, else the id of the objective, which the service accepts
 * instead.
 */
export function sessionKeyOf(cli: Cli, options: Options): string | undefined {
  const known = options['sessionKey'] ?? readRunFacts(cli.env).sessionKey
  const key = known ?? objectiveInPlaceOfSession(cli)
  if (key !== undefined) return key
  throw usageFailure(
    'No session is known here: call svc protocol attach first, or give --session-key.',
  )
}

/** An agent of a run is refused: by the objective's id it could act for the session of a later run. */
function objectiveInPlaceOfSession({ env }: Cli): string | undefined {
  if (!env['SVC_EXECUTION_REQUEST_ID']) return orNothing(env['SVC_OBJECTIVE_ID'])
  throw new CommandFailure(
    'no_session',
    'This run has no session key: call svc protocol attach --agent <name> first, or again, which is safe.',
    exitCode.conflict,
  )
}

/** What is named counts alone; else the session, else the mission of the environment. */
export function sessionOrScope(cli: Cli, options: Options): Record<string, unknown> {
  const { missionId, objectiveId } = options
  const isNamed = missionId !== undefined || objectiveId !== undefined
  const remembered = isNamed ? undefined : readRunFacts(cli.env).sessionKey
  const sessionKey = options['sessionKey'] ?? remembered
  if (sessionKey !== undefined) return { missionId, objectiveId, sessionKey }
  if (!isNamed) objectiveInPlaceOfSession(cli)
  return scopeOf(cli, options)
}

export function scopeOf(
  { env }: Cli,
  { missionId, objectiveId }: Options,
): Record<string, unknown> {
  if (missionId !== undefined || objectiveId !== undefined) return { missionId, objectiveId }
  return {
    missionId: orNothing(env['SVC_MISSION_ID']),
    objectiveId: orNothing(env['SVC_OBJECTIVE_ID']),
  }
}

export function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw usageFailure(`${option} takes a whole number, not ${text}.`)
}
