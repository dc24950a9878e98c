import type { RunChanges, RunFile } from '@svc/contracts/run-files'
import { useEffect, useMemo } from 'react'
import { useRead } from '../../data/reads.ts'
import type { ReviewedFile } from './changed.ts'
import { type DiffRow, type FilePatch, filesOf, readRows } from './patch.ts'
import { runFileRead } from './reads.ts'

interface Patch {
  file: RunFile | undefined
  /** Of a file that became a link there are two. */
  parts: readonly FilePatch[]
  rows: readonly DiffRow[]
  isCut: boolean
  rationale: ReviewedFile['rationale']
  isLoading: boolean
  error: Error | null
}

interface Wanted {
  file: ReviewedFile
  run: string | null
  report: RunChanges | undefined
  onStale: () => void
}

/** The lines of a file that is looked at, read when it is. */
export function usePatch({ file, run, report, onStale }: Wanted): Patch {
  const { path, position } = file
  const isKept = run !== null && position !== undefined
  const read = useRunFile(run, position)
  // a position is of one report: the run may have reported again
  const isStale =
    read.data !== undefined &&
    (read.data.changes.report !== report?.report || read.data.file.filePath !== path)
  useEffect(() => {
    if (!isStale) return
    onStale()
    void read.refetch()
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer that does not fit
  }, [isStale, read.data])
  const answer = isStale ? undefined : read.data
  const text = answer?.file.patch ?? ''
  const { parts, rows, isCut } = useMemo(() => {
    const all = filesOf(text)
    const lines = all.map(readRows)
    return {
      parts: all,
      rows: lines.flatMap((one) => one.rows),
      isCut: lines.some((one) => one.isCut),
    }
  }, [text])
  return {
    file: answer?.file,
    parts,
    rows,
    isCut,
    rationale: answer?.rationale ?? file.rationale,
    isLoading: isKept && answer === undefined && !read.error,
    error: read.error,
  }
}

/** Reads the lines of the file that somebody will come to next, so that these are there then. */
export function usePatchAhead(file: ReviewedFile | undefined, run: string | null): void {
  useRunFile(run, file?.position)
}

/** Nothing is read where the run kept no lines of the file. */
function useRunFile(run: string | null, position: number | undefined) {
  const enabled = run !== null && position !== undefined
  return useRead(runFileRead, { id: run ?? '', position: position ?? 0 }, { enabled })
}
