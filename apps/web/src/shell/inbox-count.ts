import type { RouteRequest } from '@svc/contracts/rest'
import { useLocation, useSearch } from 'wouter'
import { defineRead, usePages, useRead } from '../data/reads.ts'
import { useWorkspace } from '../data/use-workspace.ts'
import { routes } from './routes.ts'
import { useSettled } from './settled.ts'

/** Of a mission that an item was turned into it shows whether that is there. */
export const inbox = defineRead({
  operation: 'listInboxItems',
  touchedBy: ({ entity, operation }) =>
    entity === 'inbox_item' || (entity === 'mission' && ['delete', 'restore'].includes(operation)),
})

/** As the page of the inbox begins, where nothing else is asked for. */
export const firstItems: RouteRequest<'listInboxItems'> = { limit: 30, state: 'open' }

/** How many items are open: from the list where that is shown, else read by itself once the first page is there. */
export function useInboxCount(): number | undefined {
  const { rights } = useWorkspace()
  const [path] = useLocation()
  const search = useSearch()
  const isThere = useSettled()
  const isListed = path === routes.inbox.path && search === ''
  const listed = usePages(inbox, firstItems, { enabled: isListed }).data?.pages[0]
  const counted = useRead(
    inbox,
    { limit: 1 },
    { enabled: !isListed && isThere && rights.mayCall('listInboxItems') },
  ).data
  return (isListed ? (listed ?? counted) : (counted ?? listed))?.openCount
}
