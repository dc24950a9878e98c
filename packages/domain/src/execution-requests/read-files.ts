import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { RunFile } from '@svc/contracts/run-files'
import { splitPatch } from '@svc/contracts/split-patch'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { pageOfSized } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import { type FileRow, readFiles, readGroups, readRationale } from './changed-files.ts'
import { type Report, requireReport, viewChanges } from './changes-report.ts'

/** The files of the report, a page at a time; with patches, a page is as large as one may be, and not longer. */
export async function listRunFiles(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listRunFiles'>,
): Promise<RouteOutput<'listRunFiles'>> {
  const found = await requireReport(domain, actor, input.id)
  const withPatch = input.patches === 'true'
  const byReason = input.order === 'reason'
  const rows = await readFiles(domain, found, {
    where: sql`place > ${placeOf(input.cursor)}`,
    limit: input.limit + 1,
    withPatch,
    byReason,
  })
  const { items, nextCursor } = pageOfSized(rows, input.limit, (row) => String(row.place))
  const withGroups = byReason && input.cursor === undefined
  return {
    changes: viewChanges(found),
    ...(withGroups && { groups: await readGroups(domain, found) }),
    files: viewFiles(found, items, withPatch),
    ...nextCursor,
  }
}

export async function getRunFile(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getRunFile'>,
): Promise<RouteOutput<'getRunFile'>> {
  const found = await requireReport(domain, actor, input.id)
  const where = sql`place = ${input.position}`
  const [row] = await readFiles(domain, found, { where, limit: 1, withPatch: true })
  const [file] = row ? viewFiles(found, [row], true) : []
  if (!file) {
    throw new ServiceError(
      'not_found',
      `The report of run ${found.request.id} has ${found.files} files, counted from 0: list them.`,
    )
  }
  return { changes: viewChanges(found), file, rationale: await readRationale(domain, found, file) }
}

function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return -1
  if (/^[0-9]{1,6}$/.test(cursor)) return Number(cursor)
  throw validationFailed('cursor', 'use the nextCursor of the page before')
}

/** Of a report in one call the patches are taken from its one text, which is bounded. */
function viewFiles({ diff }: Report, rows: readonly FileRow[], withPatch: boolean): RunFile[] {
  const split = new Map(splitPatch(diff.patch ?? '').map(({ path, patch }) => [path, patch]))
  return rows.map((row) => {
    const patch = row.patch ?? split.get(row.file_path)
    const ofText = patch === undefined ? null : Buffer.byteLength(patch)
    return {
      position: row.position,
      filePath: row.file_path,
      additions: row.additions,
      deletions: row.deletions,
      patchBytes: row.patch_bytes ?? ofText,
      vcsStatus: row.vcs_status,
      label: row.label,
      ...(withPatch && patch !== undefined && { patch }),
    }
  })
}
