import type { InboxMeans } from '@svc/contracts/inbox-item'
import { limits } from '../data/contracts.values.ts'
import { visible } from './visible.ts'

const whoBy = { web: 'you, in a browser', api: 'you', mcp: 'an agent' } as const satisfies Record<
  InboxMeans['source'],
  string
>

/** Who has done it, and by what; undefined where that was not kept. An inbox is of one person. */
export function byMeans(means: InboxMeans | null | undefined): string | undefined {
  if (means == null) return undefined
  const { source, tokenLabel } = means
  const who = whoBy[source]
  return tokenLabel === null ? who : `${who}, with the token ${visible(tokenLabel)}`
}

/** How many are open, as far as they are counted. */
export function saidOpen(openCount: number): string {
  return openCount < limits.countedInboxItems ? String(openCount) : `${openCount}+`
}
