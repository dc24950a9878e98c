import { Suspense, lazy } from 'react'
import { useSearchParams } from 'wouter'
import { usePages, useRead } from '../../data/reads.ts'
import { firstNeeds, needs } from '../../shell/needs-count.ts'
import { PageHead } from '../../shell/pages.tsx'
import { useSettled } from '../../shell/settled.ts'
import { Shown } from '../../shell/shown.tsx'
import { loadPart } from '../../ui/load-part.ts'
import { Filters } from './filters.tsx'
import { NeedList } from './list.tsx'
import { runs, runsRequest } from './reads.ts'
import { Running } from './running.tsx'
import { ToQuestion } from './to-question.tsx'
import { readAsked } from './asked.ts'

const FirstRun = lazy(async () => ({
  default: (await loadPart(() => import('../../parts/first-run/first-run.tsx'))).FirstRun,
}))

/** What waits for a person, and what is under way. */
export function Page() {
  const [search] = useSearchParams()
  const asked = readAsked(search.toString())
  if (asked.question !== undefined) return <ToQuestion id={asked.question} />
  return <Waiting key={`${asked.whose} ${asked.project}`} asked={asked} />
}

function Waiting({ asked }: { asked: ReturnType<typeof readAsked> }) {
  const { whose, project } = asked
  const read = usePages(needs, {
    ...firstNeeds,
    whose,
    ...(project !== undefined && { projectId: project }),
  })
  const running = useRead(runs, runsRequest(project))
  const counts = read.data?.pages[0]?.counts
  return (
    <>
      <PageHead title="Needs you">
        <Filters asked={asked} counts={counts} />
      </PageHead>
      <Shown of={read} rows={4}>
        {(data) => (
          <NeedList
            pages={data.pages}
            whose={whose}
            running={running.data}
            onMore={read.hasNextPage ? () => void read.fetchNextPage() : undefined}
            isLoadingMore={read.isFetchingNextPage}
          />
        )}
      </Shown>
      <FirstSteps />
      <Running of={running} />
    </>
  )
}

/** They come once the page is there: most workspaces are past them. */
function FirstSteps() {
  if (!useSettled()) return null
  return (
    <Suspense>
      <FirstRun />
    </Suspense>
  )
}
