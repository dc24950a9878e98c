import { useEffect, useMemo } from 'react'
import { isNotHere } from '../../data/not-here.ts'
import { usePages } from '../../data/reads.ts'
import { type Changed, changedOf } from './changed.ts'
import { fileChangesRead, runFilesRead } from './reads.ts'
import type { Delivery } from './story.ts'

/** So many pages are read of what is in no report; that many files are more than anybody looks through. */
const mostPages = 25
/** Names alone; all that a report may have are five pages. */
const filesAtOnce = 1_000

export interface Changing {
  changed: Changed
  isLoading: boolean
  error: Error | null
  /** Reads on; undefined where all of it is there. */
  more: (() => void) | undefined
  /** Reads it anew: the run has reported again. */
  refresh: () => void
}

/** What has changed with a delivery: what its run left, by reason, and what its session said of other files. */
export function useChanged(missionId: string, delivery: Delivery): Changing {
  const { objectiveId, executionRequestId: run } = delivery
  const names = usePages(
    runFilesRead,
    { id: run ?? '', order: 'reason', limit: filesAtOnce },
    { enabled: run !== null },
  )
  const hasNoReport = run === null || isNotHere(names.error)
  const besides = usePages(fileChangesRead, {
    id: missionId,
    objectiveId,
    limit: 200,
    ...(!hasNoReport && { besides: 'report' }),
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = besides
  const pages = besides.data?.pages.length ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && pages < mostPages) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, pages])

  const reported = names.data?.pages
  const refresh = names.refetch
  const reports = new Set(reported?.map(({ changes }) => changes.report)).size
  useEffect(() => {
    // it has reported between two pages
    if (reports > 1) void refresh()
  }, [reports, refresh])
  const changed = useMemo(
    () => changedOf(reported ?? [], besides.data?.pages.flatMap((page) => page.fileChanges) ?? []),
    [reported, besides.data],
  )
  return {
    changed,
    isLoading:
      (besides.data === undefined && !besides.error) ||
      (!hasNoReport && reported === undefined && !names.error),
    error: besides.error ?? (isNotHere(names.error) ? null : names.error),
    // a page that could not be read is read by whoever reads all of it anew
    more:
      names.hasNextPage && !names.isError
        ? () => void names.fetchNextPage({ cancelRefetch: false })
        : undefined,
    refresh: () => void refresh(),
  }
}
