import { useEffect, useState } from 'react'
import { Redirect, useSearch } from 'wouter'
import { isNotHere } from '../../data/not-here.ts'
import { useRead } from '../../data/reads.ts'
import { Problem } from '../../shell/problem.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import type { Board } from './board.ts'
import { FilterBar } from './filter-bar.tsx'
import { isFiltered, readFilters, requestOf, searchOf } from './filters.ts'
import { filteredBoard, wholeBoard } from './reads.ts'
import { useFurther } from './use-further.ts'
import { BoardView } from './view.tsx'

/** The missions of a project, by where they stand. */
export function Page({ params: { project = '' } }: { params: Readonly<Record<string, string>> }) {
  const search = useSearch()
  const filters = readFilters(search)
  const request = requestOf(project, filters)
  const read = isFiltered(filters) ? filteredBoard : wholeBoard
  const answer = useRead(read, request)
  const asked = JSON.stringify(request)
  const last = useLast(project, asked, answer.data)
  const { board, more } = useFurther(read, request, last?.board)
  if (isNotHere(answer.error)) {
    return (
      <>
        <h1>Board</h1>
        <Problem error={answer.error} />
      </>
    )
  }
  if (board && project !== board.project.slug) {
    const path = pathTo('board', { project: board.project.slug }, searchOf(filters))
    return <Redirect to={path} replace />
  }
  // what was shown before stays beside it, and so does what it is narrowed by
  const failed = answer.data === undefined && answer.error
  return (
    <>
      {board === undefined && <h1>Board</h1>}
      {board === undefined && failed && <FilterBar filters={filters} />}
      <Shown of={{ ...answer, data: board }} rows={6}>
        {(known) => (
          <BoardView
            known={known}
            filters={filters}
            asked={last?.asked ?? asked}
            isReading={answer.data === undefined && !failed}
            problem={failed && <Problem error={failed} onRetry={() => void answer.refetch()} />}
            more={more}
          />
        )}
      </Shown>
    </>
  )
}

interface Last {
  project: string
  /** What it is the answer to. */
  asked: string
  board: Board
}

/** While other filters are read, what was shown before stays. */
function useLast(project: string, asked: string, data: Board | undefined): Last | undefined {
  const [last, keep] = useState<Last>()
  useEffect(() => {
    if (data) keep({ project, asked, board: data })
  }, [project, asked, data])
  if (data) return { project, asked, board: data }
  return last?.project === project ? last : undefined
}
