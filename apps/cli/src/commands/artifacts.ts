import type { Artifact } from '@svc/contracts/artifact'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { everyPage } from '../output/every-page.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'
import { type PageOptions, cursorOption, limitOption, pageOf, sayMore } from '../output/more.ts'
import { oneLine, sanitize } from '../output/terminal.ts'

const exampleId = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc artifacts list web:12\n  svc artifacts show web:12 next_steps',
  )
  command
    .command('list')
    .description('list the artifacts of a mission, newest first')
    .argument('<mission>', 'display id or UUID')
    .option(...limitOption)
    .option(...cursorOption)
    .addHelpText(
      'after',
      '\nExamples:\n  svc artifacts list web:12\n  svc artifacts list web:12 --json',
    )
    .action((mission: string, options: PageOptions) => list(cli, mission, options))
  command
    .command('show')
    .description('show what an artifact holds')
    .argument('<mission>', 'display id or UUID')
    .argument('<artifact>', 'UUID, or a type or label for the newest one of it')
    .addHelpText(
      'after',
      `\nExamples:\n  svc artifacts show web:12 next_steps\n  svc artifacts show web:12 ${exampleId} --json`,
    )
    .action((mission: string, artifact: string) => show(cli, mission, artifact))
}

async function list(cli: Cli, id: string, page: PageOptions): Promise<void> {
  const client = await openClient(cli)
  const answer = await client.call('listArtifacts', { id, ...pageOf(page) })
  const { table } = await import('../output/table.ts')
  const rows = answer.artifacts.map(({ id: artifact, type, label, revision, updatedAt }) => [
    artifact,
    type,
    label,
    revision,
    updatedAt,
  ])
  const columns = ['ARTIFACT', 'TYPE', 'LABEL', 'REVISION', 'UPDATED AT']
  await print(cli, answer, () => table(columns, rows, cli.stdout))
  sayMore(cli, answer)
}

async function show(cli: Cli, mission: string, wanted: string): Promise<void> {
  const artifact = await requireArtifact(cli, mission, wanted)
  const { details } = await import('../output/table.ts')
  const head = {
    artifact: artifact.id,
    type: artifact.type,
    label: artifact.label,
    revision: artifact.revision,
    link: artifact.externalUrl,
    'updated at': artifact.updatedAt,
  }
  await print(cli, { artifact }, () => {
    const text = artifact.contentText === null ? [] : [sanitize(artifact.contentText)]
    return [details(head, cli.stdout), ...text].join('\n\n')
  })
}

async function requireArtifact(cli: Cli, id: string, wanted: string): Promise<Artifact> {
  const client = await openClient(cli)
  const named = ({ id: own, type, label }: Artifact) => [own, type, label].includes(wanted)
  for await (const page of everyPage((query) => client.call('listArtifacts', { id, ...query }))) {
    const found = page.artifacts.find(named)
    if (found) return found
  }
  const message = `${id} has no artifact ${oneLine(wanted)}: run svc artifacts list ${id}.`
  throw new CommandFailure('not_found', message, exitCode.notFound)
}
