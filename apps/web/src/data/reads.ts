import type { RouteName, RouteOutput, RouteRequest } from '@svc/contracts/rest'
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from '@tanstack/react-query'
import type { Read } from './live.ts'
import { useStore, useWorkspace } from './use-workspace.ts'

/** A read as a feature's `reads.ts` declares it. */
export function defineRead<N extends RouteName>(read: Read<N>): Read<N> {
  return read
}

/** What the service answers, from the cache where it is known, and kept true by the live feed. */
export function useRead<N extends RouteName>(
  read: Read<N>,
  request: RouteRequest<N>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<RouteOutput<N>> {
  const { service, mayRead } = useWorkspace()
  const isReady = useStore(mayRead)
  return useQuery({
    queryKey: [read.operation, request],
    queryFn: ({ signal }) => service.call(read.operation, request, { signal }),
    enabled: enabled && isReady,
    meta: { about: { read, request } },
  })
}

type Paged = {
  [N in RouteName]: RouteOutput<N> extends { nextCursor?: unknown } ? N : never
}[RouteName]

/** The same of a list that comes in pages: those that have been asked for, in order. */
export function usePages<N extends Paged>(
  read: Read<N>,
  request: RouteRequest<N>,
  { enabled = true }: { enabled?: boolean } = {},
): UseInfiniteQueryResult<InfiniteData<RouteOutput<N>>> {
  const { service, mayRead } = useWorkspace()
  const isReady = useStore(mayRead)
  return useInfiniteQuery({
    queryKey: [read.operation, request, 'pages'],
    queryFn: ({ signal, pageParam }) =>
      service.call(
        read.operation,
        pageParam === undefined ? request : { ...request, cursor: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    // such an answer has it where there is more
    getNextPageParam: (last) => (last as unknown as { nextCursor?: string }).nextCursor,
    enabled: enabled && isReady,
    // the pages together are no answer of the contract, so they are marked and never patched
    meta: { about: { read: { operation: read.operation, touchedBy: read.touchedBy }, request } },
  })
}

/** An answer that several calls give together. */
export interface Gathered<N extends RouteName> {
  request: RouteRequest<N>
  /** What tells it from other answers to the same request. */
  part: string | number
  gather: (signal: AbortSignal) => Promise<RouteOutput<N>>
}

/** Those of them that are known by now, kept true by the live feed like any other. */
export function useGathered<N extends RouteName>(
  read: Read<N>,
  wanted: readonly Gathered<N>[],
): (RouteOutput<N> | undefined)[] {
  const isReady = useStore(useWorkspace().mayRead)
  const found = useQueries({
    queries: wanted.map(({ request, part, gather }) => ({
      queryKey: [read.operation, request, part],
      queryFn: ({ signal }: { signal: AbortSignal }) => gather(signal),
      enabled: isReady,
      meta: { about: { read, request } },
    })),
  })
  return found.map(({ data }) => data)
}
