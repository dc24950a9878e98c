import type { BrowserClient } from '@svc/client/browser'
import type { RouteName, RouteOutput, RouteRequest } from '@svc/contracts/rest'
import type { Query, QueryClient } from '@tanstack/react-query'
import { limits } from './contracts.values.ts'

export type Call = BrowserClient['call']

/** How what several queries of one thing each are about is read by one call. */
export interface Together<N extends RouteName = RouteName> {
  /** Undefined where it is not named by its UUID, by which alone many are read. */
  readonly idOf: (request: RouteRequest<N>) => string | undefined
  /** The answers by id; what is gone, or does not fit into one answer, is left out. */
  readonly read: (
    call: Call,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, RouteOutput<N>>>
}

/** What a query is about, as far as it counts here. */
interface Wanted {
  read: { readonly together?: Together }
  request: RouteRequest<RouteName>
}

interface Group {
  together: Together
  wanted: { query: Query; id: string }[]
}

/** Those of the queries that one call serves, two or more each. */
export function groupsOf(
  queries: readonly Query[],
  aboutOf: (query: Query) => Wanted | undefined,
): Group[] {
  const groups = new Map<Together, Group>()
  for (const query of queries) {
    const about = aboutOf(query)
    const together = about?.read.together
    const id = about && together?.idOf(about.request)
    if (together === undefined || id === undefined) continue
    const group = groups.get(together) ?? { together, wanted: [] }
    if (group.wanted.length < limits.idsAtOnce) group.wanted.push({ query, id })
    groups.set(together, group)
  }
  return [...groups.values()].filter(({ wanted }) => wanted.length > 1)
}

/** What the call does not answer is read by itself, which says why. */
export async function readTogether(
  queries: QueryClient,
  call: Call,
  { together, wanted }: Group,
): Promise<void> {
  const ids = [...new Set(wanted.map(({ id }) => id))]
  const answers = await together.read(call, ids).catch(() => undefined)
  for (const { query, id } of wanted) {
    const answer = answers?.get(id)
    if (answer === undefined)
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
    else queries.setQueryData(query.queryKey, answer)
  }
}
