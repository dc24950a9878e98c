import { useState } from 'react'
import { useSearch } from 'wouter'
import { usePages, useRead } from '../../data/reads.ts'
import { PageHead } from '../../shell/pages.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Budgets } from './budgets.tsx'
import { ByAgent } from './by-agent.tsx'
import { ByWeek } from './by-week.tsx'
import { FilterBar, useFilters } from './filter-bar.tsx'
import { readFilters, requestForAgents, requestForWeeks } from './filters.ts'
import { usageKeys } from './keys.ts'
import { usage } from './reads.ts'

/** What runs have used and came to, and how far the budgets of missions go. */
export function Page() {
  const filters = readFilters(useSearch())
  const set = useFilters()
  // the weeks are those of when the page was opened
  const [now] = useState(() => Date.now())
  const byWeek = useRead(usage, requestForWeeks(filters, now))
  const byAgent = usePages(usage, requestForAgents(filters, now))
  useKeys(usageKeys({ toggleModels: () => set({ withModels: !filters.withModels }) }))
  return (
    <>
      <PageHead title="Usage" />
      <FilterBar filters={filters} />
      <Shown of={byWeek} rows={6}>
        {(answer) => <ByWeek of={answer} filters={filters} now={now} />}
      </Shown>
      <Shown of={byAgent} rows={4}>
        {({ pages }) => (
          <ByAgent
            rows={pages.flatMap(({ rows }) => rows)}
            filters={filters}
            onModels={(withModels) => set({ withModels })}
          >
            {byAgent.hasNextPage && (
              <Button
                disabled={byAgent.isFetchingNextPage}
                onClick={() => void byAgent.fetchNextPage()}
              >
                More agents
              </Button>
            )}
          </ByAgent>
        )}
      </Shown>
      <Budgets project={filters.project} />
    </>
  )
}
