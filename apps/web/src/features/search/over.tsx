import { Suspense, lazy } from 'react'
import { useSearchParams } from 'wouter'
import { loadPart } from '../../ui/load-part.ts'

// nobody waits for them to see what was found
const Dialogs = lazy(async () => ({
  default: (await loadPart(() => import('./dialogs.tsx'))).Dialogs,
}))

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
  const [search, setSearch] = useSearchParams()
  const isDeleting = search.get('do') === 'delete'
  if (!search.has('deleted') && !isDeleting) return null
  const toDelete = isDeleting ? (search.get('missions') ?? '') : undefined
  return (
    <Suspense>
      <Dialogs
        toDelete={toDelete?.split(/[ ,]+/).filter(Boolean)}
        toRestore={search.get('restore') ?? undefined}
        onClose={() => setSearch(withOver({}), { replace: true })}
      />
    </Suspense>
  )
}
