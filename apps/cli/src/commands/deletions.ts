import type { RouteOutput } from '@svc/contracts/rest'
import type { Command } from 'commander'
import { type Cli, openClient, print, say } from '../cli.ts'
import { localTime } from '../output/local-time.ts'
import { sayMore } from '../output/more.ts'

interface DeleteOptions {
  confirm?: true
  running?: string[]
}

const untilThen = (one: 'mission' | 'objective') =>
  `\nWithout --confirm nothing is deleted, and the ${one}s that would be are listed. All that are named are deleted, or none. What is queued or runs is cancelled with them; a run that --running does not name refuses all, with the new list. What was deleted can be restored for 30 days.`

export function defineMissionDeletion(group: Command, cli: Cli): void {
  group
    .command('delete')
    .description('delete missions with their objectives')
    .argument('<missions...>', 'display ids or UUIDs, 100 at most')
    .option('--confirm', 'you have seen the list')
    .option('--running <runs...>', 'what runs, as the list names it: it is cancelled')
    .addHelpText(
      'after',
      `${untilThen('mission')}\n\nExamples:\n  svc missions delete web:12 web:13\n  svc missions delete web:12 web:13 --confirm`,
    )
    .action(async (missionIds: string[], options: DeleteOptions) => {
      const answer = await (
        await openClient(cli)
      ).call('deleteMissions', { missionIds, ...options })
      await printDeleted(cli, 'missions', answer)
    })
  group
    .command('restore')
    .description('bring a deleted mission back, with its objectives')
    .argument('<deleted-mission>', 'display id or UUID, as svc missions list --deleted shows it')
    .addHelpText('after', '\nExamples:\n  svc missions restore web:12')
    .action(async (id: string) => {
      const answer = await (await openClient(cli)).call('restoreMission', { id })
      const { details } = await import('../output/table.ts')
      const { mission, objectives } = answer
      const fields = {
        mission: mission.displayId,
        title: mission.title,
        status: mission.status.label,
        objectives: objectives.length,
      }
      await print(cli, answer, () => details(fields, cli.stdout))
    })
}

export function defineObjectiveDeletion(group: Command, cli: Cli): void {
  group
    .command('delete')
    .description('delete objectives')
    .argument('<objectives...>', 'display ids or UUIDs, 100 at most')
    .option('--confirm', 'you have seen the list')
    .option('--running <runs...>', 'what runs, as the list names it: it is cancelled')
    .addHelpText(
      'after',
      `${untilThen('objective')}\n\nExamples:\n  svc objectives delete web:12.k7qd\n  svc objectives delete web:12.k7qd --confirm --json`,
    )
    .action(async (objectiveIds: string[], options: DeleteOptions) => {
      const request = { objectiveIds, ...options }
      const answer = await (await openClient(cli)).call('deleteObjectives', request)
      await printDeleted(cli, 'objectives', answer)
    })
  group
    .command('restore')
    .description('bring a deleted objective back, the last of those not started')
    .argument(
      '<deleted-objective>',
      'display id or UUID, as svc objectives list --deleted shows it',
    )
    .addHelpText('after', '\nExamples:\n  svc objectives restore web:12.k7qd')
    .action(async (id: string) => {
      const answer = await (await openClient(cli)).call('restoreObjective', { id })
      const { details } = await import('../output/table.ts')
      const { displayId, title, state, position } = answer.objective
      const fields = { objective: displayId, title, state, position }
      await print(cli, answer, () => details(fields, cli.stdout))
    })
}

async function printDeleted(
  cli: Cli,
  group: 'missions' | 'objectives',
  answer: RouteOutput<'deleteMissions'>,
): Promise<void> {
  const { deleted, cancelledRuns, restorableUntil } = answer
  const { table } = await import('../output/table.ts')
  const rows = deleted.map(({ displayId, title }) => [displayId, title])
  await print(cli, answer, () => table(['DELETED', 'TITLE'], rows, cli.stdout))
  if (cancelledRuns > 0) {
    say(
      cli,
      `Cancelled: ${cancelledRuns}. What ran is told to end, and is over in a minute at most.`,
    )
  }
  const [first] = deleted
  say(cli, `Until ${localTime(restorableUntil)}: svc ${group} restore ${first?.displayId}`)
}

/** What can be restored, and until when. */
export async function printRestorable(
  cli: Cli,
  group: 'missions' | 'objectives',
  answer: RouteOutput<'listDeletedMissions'>,
): Promise<void> {
  const { table } = await import('../output/table.ts')
  const rows = answer.deleted.map((one) => [
    one.displayId,
    one.deletedAt,
    one.restorableUntil,
    one.title,
  ])
  const columns = ['DELETED', 'AT', 'RESTORABLE UNTIL', 'TITLE']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
  const [first] = answer.deleted
  if (first && !cli.settings.json) say(cli, `Restore it: svc ${group} restore ${first.displayId}`)
  sayMore(cli, answer)
}
