import type { Client } from '@svc/client/client'
import type { RunChanges, RunFile } from '@svc/contracts/run-files'
import { everyPage } from './every-page.ts'

export interface ReadChanges {
  changes: RunChanges
  files: RunFile[]
}

/** All that a run changed, with its patches where they are wanted. */
export async function readChanges(
  client: Client,
  id: string,
  patches: boolean,
): Promise<ReadChanges> {
  const pages = everyPage((page) =>
    client.call('listRunFiles', { id, patches: patches ? 'true' : 'false', ...page }),
  )
  const files: RunFile[] = []
  let changes: RunChanges | undefined
  for await (const page of pages) {
    // a report that comes meanwhile begins anew
    if (changes !== undefined && page.changes.report !== changes.report) {
      return await readChanges(client, id, patches)
    }
    changes = page.changes
    files.push(...page.files)
  }
  if (changes === undefined) throw new Error('a list has one page at least')
  return { changes, files }
}

/** What there is to say of them. */
export function notesOnChanges({ truncated, dirty }: RunChanges): string[] {
  return [
    ...(truncated ? ['Not all of it is kept: it is too much, or a patch is too large.'] : []),
    ...(dirty ? ['It holds changes that were not committed.'] : []),
  ]
}
