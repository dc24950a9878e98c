import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { RunChanges, RunFile } from '@svc/contracts/run-files'
import { splitPatch } from '@svc/contracts/split-patch'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { type Sized, pageOfSized, withinBytes } from '../common/page.ts'
import type { Domain } from '../domain.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfRequest, requireRequest } from '../entities/execution-requests/queries.ts'

/** The report of a run that stands, and what is said of all of it. */
export async function requireReport({ db }: Domain, actor: Actor, id: string) {
  const request = await requireRequest(db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfRequest(request, id))
  const row = await db
    .selectFrom('run_diffs')
    .select(['diff', 'report', 'files', 'additions', 'deletions'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('execution_request_id', '=', request.id)
    .executeTakeFirst()
  if (row === undefined || row.report === null) {
    throw new ServiceError(
      'not_found',
      `Run ${request.id} has uploaded no changes yet; they come when its agent has ended.`,
    )
  }
  // columns of earlier rows are not part of what is shown
  const { baseSha, headSha, truncated, dirty, patch } = row.diff
  const diff = { baseSha, headSha, truncated, dirty, ...(patch !== undefined && { patch }) }
  return { ...row, request, diff, report: row.report, files: row.files ?? 0 }
}

type Report = Awaited<ReturnType<typeof requireReport>>

/** The files of the report, a page at a time; with patches, a page is as large as one may be, and not longer. */
export async function listRunFiles(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listRunFiles'>,
): Promise<RouteOutput<'listRunFiles'>> {
  const found = await requireReport(domain, actor, input.id)
  const withPatch = input.patches === 'true'
  const rows = await readFiles(domain, found, {
    where: sql`position > ${positionOf(input.cursor)}`,
    limit: input.limit + 1,
    withPatch,
  })
  const { items, nextCursor } = pageOfSized(rows, input.limit, (row) => String(row.position))
  return { changes: viewChanges(found), files: viewFiles(found, items, withPatch), ...nextCursor }
}

export async function getRunFile(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getRunFile'>,
): Promise<RouteOutput<'getRunFile'>> {
  const found = await requireReport(domain, actor, input.id)
  const where = sql`position = ${input.position}`
  const rows = await readFiles(domain, found, { where, limit: 1, withPatch: true })
  const [file] = viewFiles(found, rows, true)
  if (!file) {
    throw new ServiceError(
      'not_found',
      `The report of run ${found.request.id} has ${found.files} files, counted from 0: list them.`,
    )
  }
  return { changes: viewChanges(found), file }
}

function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return -1
  if (/^[0-9]{1,6}$/.test(cursor)) return Number(cursor)
  throw validationFailed('cursor', 'use the nextCursor of the page before')
}

interface Row {
  position: number
  file_path: string
  additions: number | null
  deletions: number | null
  patch_bytes: number | null
  patch: string | null
}

async function readFiles(
  { db }: Domain,
  { request, report }: Report,
  { where, limit, withPatch }: { where: RawBuilder<unknown>; limit: number; withPatch: boolean },
): Promise<Sized<Row>[]> {
  const patch = withPatch ? sql`patch` : sql`null::text`
  const { rows } = await withinBytes({
    rows: sql<Row>`
      select position, file_path, additions, deletions, patch_bytes, ${patch} as patch from run_files
       where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
         and report = ${report} and ${where}
       order by position limit ${limit}`,
    bytes: withPatch
      ? sql`octet_length(file_path) + coalesce(patch_bytes, 0)`
      : sql`octet_length(file_path)`,
    order: sql`position`,
  }).execute(db)
  return rows
}

function viewChanges({ report, files, additions, deletions, diff }: Report): RunChanges {
  const { baseSha, headSha, truncated, dirty } = diff
  return {
    report,
    baseSha,
    headSha,
    files,
    additions: additions ?? 0,
    deletions: deletions ?? 0,
    truncated,
    dirty,
  }
}

/** Of a report in one call the patches are taken from its one text, which is bounded. */
function viewFiles({ diff }: Report, rows: readonly Row[], withPatch: boolean): RunFile[] {
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
      ...(withPatch && patch !== undefined && { patch }),
    }
  })
}
