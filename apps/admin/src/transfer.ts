import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { type ExportOptions, exportRows } from '@svc/db/transfer/export-rows'
import { importRows } from '@svc/db/transfer/import-rows'
import { settleImported } from '@svc/domain/backups/settle-imported'
import { parseKeyRing } from '@svc/domain/common/key-ring'
import { queueTables } from '@svc/domain/jobs/jobs'
import type { Log } from '@svc/process/log'
import { type DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { z } from 'zod'
import { SetUpError, type Streams, requireReady } from './create-owner.ts'

export const ExportInput = z.object({
  file: z.string().min(1, 'name a file').optional(),
  withoutLogs: z.boolean().default(false),
  workspace: z.string().min(1, 'name a workspace').optional(),
})
export const ImportInput = z.object({ file: z.string().min(1, 'name a file') })

type Keys = Pick<DomainEnvironment, 'DATABASE_URL' | 'SVC_DATABASE_DIRECT_URL' | 'SVC_SECRET_KEYS'>

const keepKeys =
  'It is worth nothing without the key ring, SVC_SECRET_KEYS, which is not in it: keep both, apart from each other.'

/** All rows of the service, or of one workspace of it, as of one moment; the apps may run. Without a file they go to standard output. */
export async function runExport(
  environment: DomainEnvironment,
  { log, input, say }: { log: Log; input: z.input<typeof ExportInput>; say: Streams },
): Promise<void> {
  if (input.file === undefined && process.stdout.isTTY) {
    throw new SetUpError(
      'An export is no text: name a file with --file, or send it on to another program.',
    )
  }
  {
    await using domain = await openDomainOf({ ...environment, SVC_NOTIFY: false }, { log })
    await requireReady(domain)
  }
  const url = addressOf(environment)
  const count =
    input.file === undefined
      ? await exportRows(url, queueTables, process.stdout, input)
      : await writeWhole(input.file, url, input)
  const of = input.workspace ? ` of ${input.workspace}` : ''
  const where = input.file ? ` to ${input.file}` : ''
  say.stderr(`Exported: ${count} rows${of}${where}. ${keepKeys}\n`)
}

/** The file is there whole or not at all, readable by its owner alone. */
async function writeWhole(file: string, url: string, options: ExportOptions): Promise<number> {
  const temporary = `${file}.${process.pid}.tmp`
  const handle = await open(temporary, 'wx', 0o600).catch((error: unknown) => {
    throw new SetUpError(
      `${file} cannot be written: name a file in a folder that you can write to.`,
      {
        cause: error,
      },
    )
  })
  try {
    const to = createWriteStream(temporary, { fd: handle, flush: true })
    const count = await exportRows(url, queueTables, to, options)
    await rename(temporary, file)
    return count
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Into a database that was migrated and holds nothing: all of it is there afterwards, or nothing. */
export async function runImport(
  environment: Keys,
  { input, say }: { input: z.infer<typeof ImportInput>; say: Streams },
): Promise<void> {
  const keys = parseKeyRing(environment.SVC_SECRET_KEYS)
  const settle = (tx: Parameters<typeof settleImported>[0]) => settleImported(tx, keys)
  const count = await importRows(addressOf(environment), input.file, {
    queue: queueTables,
    settle,
  })
  say.stderr(`Imported: ${count} rows. Start the apps with the same SVC_SECRET_KEYS.\n`)
}

/** One transaction from beginning to end is nothing for a pooler. */
const addressOf = (environment: Keys) =>
  environment.SVC_DATABASE_DIRECT_URL ?? environment.DATABASE_URL
