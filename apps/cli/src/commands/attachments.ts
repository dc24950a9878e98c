import { readFileSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { Attachment } from '@svc/contracts/context'
import type { Command } from 'commander'
import { type Cli, openClient, print } from '../cli.ts'
import { usageFailure } from '../output/failure.ts'

export function define(command: Command, cli: Cli): void {
  command.addHelpText(
    'after',
    '\nExamples:\n  svc attachments add web:12.k7qd ./design.png\n  svc attachments list web:12.k7qd',
  )
  command
    .command('list')
    .description('list the files of an objective')
    .argument('<objective>', 'display id or UUID')
    .addHelpText('after', '\nExamples:\n  svc attachments list web:12.k7qd')
    .action((objective: string) => list(cli, objective))
  command
    .command('add')
    .description('give an objective a file along; its runs find it next to their briefing')
    .argument('<objective>', 'display id or UUID')
    .argument('<path>', 'of the file')
    .option('--name <name>', 'another name than that of the file')
    .option('--media-type <type>', 'such as image/png')
    .addHelpText(
      'after',
      '\nExamples:\n  svc attachments add web:12.k7qd ./design.png --media-type image/png',
    )
    .action((objective: string, path: string, options: AddOptions) =>
      add(cli, objective, path, options),
    )
  defineRest(command, cli)
}

function defineRest(command: Command, cli: Cli): void {
  command
    .command('download')
    .description('write a file to the disk; one that is there already stays')
    .argument('<attachment>', 'its UUID')
    .argument('<path>', 'where to')
    .addHelpText(
      'after',
      '\nExamples:\n  svc attachments download 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10 ./design.png',
    )
    .action((id: string, path: string) => download(cli, id, path))
  command
    .command('delete')
    .description('delete a file for good')
    .argument('<attachment>', 'its UUID')
    .addHelpText(
      'after',
      '\nExamples:\n  svc attachments delete 0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10',
    )
    .action((id: string) => remove(cli, id))
}

interface AddOptions {
  name?: string
  mediaType?: string
}

async function list(cli: Cli, id: string): Promise<void> {
  const answer = await (await openClient(cli)).call('listAttachments', { id })
  await print(cli, answer, () => describe(cli, answer.attachments))
}

async function add(cli: Cli, id: string, path: string, options: AddOptions): Promise<void> {
  const { name = basename(path), mediaType = mediaTypeOf(name) } = options
  const bytes = onDisk(path, () => readFileSync(path))
  const client = await openClient(cli)
  const named = { id, name, ...(mediaType !== undefined && { mediaType }) }
  const answer = await client.call('addAttachment', { ...named, bytes })
  await print(cli, answer, () => describe(cli, [answer.attachment]))
}

/** The media type by the ending of the name; where that says nothing it is left to the service. */
function mediaTypeOf(name: string): string | undefined {
  return mediaTypes[extname(name).toLowerCase()]
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
}

async function download(cli: Cli, id: string, path: string): Promise<void> {
  const { bytes: content } = await (await openClient(cli)).call('getAttachment', { id })
  onDisk(path, () => writeFileSync(path, content, { flag: 'wx' }))
  const bytes = content.byteLength
  await print(cli, { id, path, bytes }, () => `${bytes} bytes written to ${path}`)
}

async function remove(cli: Cli, id: string): Promise<void> {
  await (await openClient(cli)).call('deleteAttachment', { id })
  await print(cli, { deleted: id }, () => `deleted ${id}`)
}

/** A path that cannot be used is for the caller to correct. */
function onDisk<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw usageFailure(`${path} cannot be used (${code}): name another path.`)
  }
}

async function describe(cli: Cli, attachments: readonly Attachment[]): Promise<string> {
  const { table } = await import('../output/table.ts')
  const rows = attachments.map(({ id, name, mediaType, size }) => [name, mediaType, size, id])
  return table(['NAME', 'TYPE', 'BYTES', 'ID'], rows, cli.stdout)
}
