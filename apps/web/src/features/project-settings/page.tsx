import { Redirect, useSearch } from 'wouter'
import { isNotHere } from '../../data/not-here.ts'
import { useRead } from '../../data/reads.ts'
import { Problem } from '../../shell/problem.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { project as projectRead } from './reads.ts'
import { SettingsView } from './view.tsx'

/** What a project is called, which columns and resources it has, and what its runs are started with. */
export function Page({
  params: { project: id = '' },
}: {
  params: Readonly<Record<string, string>>
}) {
  const search = useSearch()
  const read = useRead(projectRead, { id })
  const project = read.data?.project
  if (isNotHere(read.error)) {
    return (
      <>
        <h1>Project settings</h1>
        <Problem error={read.error} />
      </>
    )
  }
  if (project && id !== project.slug) {
    const given = Object.fromEntries(new URLSearchParams(search))
    return <Redirect to={pathTo('projectSettings', { project: project.slug }, given)} replace />
  }
  return (
    <>
      {project === undefined && <h1>Project settings</h1>}
      <Shown of={read} rows={6}>
        {({ project: shown }) => <SettingsView project={shown} />}
      </Shown>
    </>
  )
}
