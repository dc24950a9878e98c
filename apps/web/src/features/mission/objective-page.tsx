import { Redirect } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { MissionPage } from './page.tsx'
import { objective } from './reads.ts'
import { isUuid, missionOf } from './wanted.ts'

/** An objective is shown in its mission, wherever it is opened from. */
export function Page({
  params: { objective: id = '' },
}: {
  params: Readonly<Record<string, string>>
}) {
  return isUuid(id) ? <ById id={id} /> : <MissionPage mission={missionOf(id)} objective={id} />
}

function ById({ id }: { id: string }) {
  const read = useRead(objective, { id })
  return (
    <Shown of={read}>
      {(answer) => (
        <Redirect to={pathTo('objective', { objective: answer.objective.displayId })} replace />
      )}
    </Shown>
  )
}
