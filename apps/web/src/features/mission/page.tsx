import { Redirect } from 'wouter'
import { isNotHere } from '../../data/not-here.ts'
import { useRead } from '../../data/reads.ts'
import { useSilenceOfRuns } from '../../data/use-silence.ts'
import { Problem } from '../../shell/problem.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import type { Overview } from './patch-overview.ts'
import { objective as objectiveRead, overview, overviewRequest } from './reads.ts'
import { MissionView } from './view.tsx'
import { isUuid } from './wanted.ts'

/** A mission with its objectives and its history; an objective that is named is open. */
export function MissionPage({ mission, objective }: { mission: string; objective?: string }) {
  const read = useRead(overview, overviewRequest(mission))
  useSilenceOfRuns('getMissionOverview', read.data?.executionRequests)
  if (isNotHere(read.error)) {
    return (
      <>
        <h1>Mission</h1>
        <Problem error={read.error} />
      </>
    )
  }
  if (read.data && isUuid(mission)) {
    return <Redirect to={pathTo('mission', { mission: read.data.mission.displayId })} replace />
  }
  return (
    <>
      {read.data === undefined && <h1>Mission</h1>}
      <Shown of={read} rows={6}>
        {(known) => (
          <>
            {objective !== undefined && !isAmong(known, objective) && <Missing id={objective} />}
            <MissionView id={mission} known={known} objective={objective} />
          </>
        )}
      </Shown>
    </>
  )
}

function isAmong({ objectives }: Overview, displayId: string): boolean {
  return objectives.some((one) => one.displayId === displayId)
}

/** The address is of an objective that the mission does not have: the service says what became of it. */
function Missing({ id }: { id: string }) {
  const { error } = useRead(objectiveRead, { id })
  return error && <Problem error={error} />
}

export function Page({ params: { mission = '' } }: { params: Readonly<Record<string, string>> }) {
  return <MissionPage mission={mission} />
}
