import { Redirect, useSearch } from 'wouter'
import { isNotHere } from '../../data/not-here.ts'
import { useRead } from '../../data/reads.ts'
import { Problem } from '../../shell/problem.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { project as projectRead, runQueues } from './reads.ts'
import { QueuesView } from './view.tsx'

/** What a project launches by itself, in which order, and why not yet. */
export function Page({
  params: { project: id = '' },
}: {
  params: Readonly<Record<string, string>>
}) {
  const search = useSearch()
  const found = useRead(projectRead, { id })
  const read = useRead(runQueues, { id })
  const project = found.data?.project
  const refused = [found.error, read.error].find(isNotHere)
  if (refused) {
    return (
      <>
        <h1>Run queues</h1>
        <Problem error={refused} />
      </>
    )
  }
  if (project && id !== project.slug) {
    const given = Object.fromEntries(new URLSearchParams(search))
    return <Redirect to={pathTo('queues', { project: project.slug }, given)} replace />
  }
  const wanted = new URLSearchParams(search).get('queue') ?? undefined
  return (
    <>
      {project === undefined && <h1>Run queues</h1>}
      <Shown of={found} rows={1}>
        {({ project: shown }) => <QueuesView project={shown} read={read} wanted={wanted} />}
      </Shown>
    </>
  )
}
