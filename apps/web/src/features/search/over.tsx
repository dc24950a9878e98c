import { useSearchParams } from 'wouter'
import { useWorkspace } from '../../data/use-workspace.ts'
import { DeleteListed } from '../../parts/delete/delete-listed.tsx'
import { DeletedMissions } from '../../parts/delete/deleted-missions.tsx'

/** What of the address is open over the page; the rest of it is what is searched for. */
const names = ['deleted', 'restore', 'do', 'missions']

/** The query of an address with this open over the page, and nothing else. */
export function withOver(opened: Readonly<Record<string, string>>) {
  return (now: URLSearchParams): [string, string][] => [
    ...[...now].filter(([name]) => !names.includes(name)),
    ...Object.entries(opened),
  ]
}

/** What was deleted, and the list before more is: steps of the service lead to both. */
export function Over() {
  const { rights, service } = useWorkspace()
  const [search, setSearch] = useSearchParams()
  const close = () => setSearch(withOver({}), { replace: true })
  const missionIds = search.get('missions')?.split(/[ ,]+/).filter(Boolean) ?? []
  if (search.has('deleted')) {
    return <DeletedMissions asked={search.get('restore') ?? undefined} onClose={close} />
  }
  const isAsked = search.get('do') === 'delete' && missionIds.length > 0
  if (!isAsked || !rights.mayCall('deleteMissions')) return null
  return (
    <DeleteListed
      title={missionIds.length === 1 ? 'Delete the mission' : 'Delete the missions'}
      onClose={close}
      call={(confirmation) => service.call('deleteMissions', { missionIds, ...confirmation })}
      onDeleted={() => undefined}
    />
  )
}
