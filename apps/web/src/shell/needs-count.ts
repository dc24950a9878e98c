import type { RouteRequest } from '@svc/contracts/rest'
import { useLocation, useSearch } from 'wouter'
import { defineRead, usePages, useRead } from '../data/reads.ts'
import { totalOf } from '../words/needs.ts'
import { routes } from './routes.ts'
import { useSettled } from './settled.ts'

const causes: ReadonlySet<string> = new Set([
  'mission',
  'objective',
  'execution_request',
  'agent_session',
  'question',
  'delivery',
  'run_queue',
  'runner',
  'webhook',
  'notification',
])

/** What waits for people, which no change says whole: how far an agent has come concerns nobody here. */
export const needs = defineRead({
  operation: 'listNeeds',
  touchedBy: ({ entity, operation }) => causes.has(entity) && operation !== 'progress',
})

/** As the page of what waits begins, where nothing else is asked for. */
export const firstNeeds: RouteRequest<'listNeeds'> = { whose: 'mine' }

/** How many wait for me: from the list where that is shown, else read by itself, without its rows. */
export function useNeedsCount({ enabled = true } = {}): ReturnType<typeof totalOf> | undefined {
  const [path] = useLocation()
  const search = useSearch()
  const mayRead = useSettled()
  const isListed = enabled && path === routes.needs.path && search === ''
  const listed = usePages(needs, firstNeeds, { enabled: isListed }).data?.pages[0]
  const counted = useRead(
    needs,
    { ...firstNeeds, limit: 1 },
    { enabled: enabled && !isListed && mayRead },
  ).data
  const counts = (isListed ? (listed ?? counted) : (counted ?? listed))?.counts
  return counts && totalOf(counts, 'mine')
}
