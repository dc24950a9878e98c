import type { FileChange } from '@svc/contracts/change-rationale'
import type { RouteOutput } from '@svc/contracts/rest'
import type { RunChanges, RunFile, RunFileGroup } from '@svc/contracts/run-files'

/** A changed file as it is reviewed: what the agent said of it, and what Git did. */
export interface ReviewedFile {
  path: string
  /** Null where nothing was observed of it: its patch says. */
  status: NonNullable<FileChange['vcsStatus']> | null
  additions: number | null
  deletions: number | null
  /** The agent's word for what it has in common with others; none where it gave no reason. */
  label: string | undefined
  /** In the report of its run; none where it is in no report. */
  position: number | undefined
  /** Known here of what is in no report, and else read with its patch. */
  rationale: FileChange['rationale']
}

export interface FileGroup {
  label: string | undefined
  /** How many it has, also of those that are not read yet. */
  count: number
  files: ReviewedFile[]
}

/** What has changed, as far as it is read. */
export interface Changed {
  /** What was said of all of the run's report; none where it has left none. */
  report: RunChanges | undefined
  groups: readonly FileGroup[]
  /** In the order of the groups. */
  files: readonly ReviewedFile[]
  total: number
  additions: number
  deletions: number
}

/** The report of a run as far as it is read, page by page. */
export type ReportPages = readonly RouteOutput<'listRunFiles'>[]

/**
 * All files that are known to have changed, in groups as the agent sees them: the largest first, those without a reason
 * last. `besides` are those that are in no report, which stand at the beginning of their groups.
 */
export function changedOf(pages: ReportPages, besides: readonly FileChange[]): Changed {
  const [first] = pages
  const reported = pages.flatMap((page) => page.files).map(ofReport)
  const known = new Set(reported.map(({ path }) => path))
  const others = besides.filter(({ filePath }) => !known.has(filePath)).map(ofChange)
  const groups = groupsOf(first?.groups ?? [], [...others, ...reported], others)
  return {
    report: first?.changes,
    groups,
    files: groups.flatMap(({ files }) => files),
    total: (first?.changes.files ?? 0) + others.length,
    additions: (first?.changes.additions ?? 0) + sumOf(others, 'additions'),
    deletions: (first?.changes.deletions ?? 0) + sumOf(others, 'deletions'),
  }
}

function groupsOf(
  named: readonly RunFileGroup[],
  files: readonly ReviewedFile[],
  others: readonly ReviewedFile[],
): FileGroup[] {
  const groups = new Map<string | undefined, FileGroup & { lines: number }>()
  const groupAt = (label: string | undefined) => {
    const group = groups.get(label) ?? { label, count: 0, lines: 0, files: [] }
    groups.set(label, group)
    return group
  }
  for (const { label, files: count, additions, deletions } of named) {
    Object.assign(groupAt(label ?? undefined), { count, lines: additions + deletions })
  }
  for (const { label, additions, deletions } of others) {
    const group = groupAt(label)
    group.count += 1
    group.lines += (additions ?? 0) + (deletions ?? 0)
  }
  for (const file of files) groupAt(file.label).files.push(file)
  return (
    [...groups.values()]
      // those of a later page
      .filter((group) => group.files.length > 0)
      .toSorted(
        (one, other) =>
          Number(one.label === undefined) - Number(other.label === undefined) ||
          other.lines - one.lines,
      )
      .map(({ label, count, files: own }) => ({ label, count, files: own }))
  )
}

function ofReport(file: RunFile): ReviewedFile {
  const { filePath, vcsStatus, additions, deletions, label, position } = file
  return {
    path: filePath,
    status: vcsStatus,
    additions,
    deletions,
    label: label ?? undefined,
    position,
    rationale: null,
  }
}

function ofChange({ filePath, vcsStatus, additions, deletions, rationale }: FileChange) {
  return {
    path: filePath,
    status: vcsStatus,
    additions,
    deletions,
    label: rationale?.label,
    position: undefined,
    rationale,
  }
}

function sumOf(files: readonly ReviewedFile[], what: 'additions' | 'deletions'): number {
  return files.reduce((sum, file) => sum + (file[what] ?? 0), 0)
}

/** Those whose path has these words in it, in this order; of a group as many as are found. */
export function found(groups: readonly FileGroup[], text: string): FileGroup[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...groups]
  return groups.flatMap(({ label, files }) => {
    const matching = files.filter(({ path }) => hasInOrder(path.toLocaleLowerCase(), words))
    return matching.length === 0 ? [] : [{ label, count: matching.length, files: matching }]
  })
}

function hasInOrder(path: string, words: readonly string[]): boolean {
  let from = 0
  return words.every((word) => {
    const at = path.indexOf(word, from)
    from = at + word.length
    return at !== -1
  })
}
