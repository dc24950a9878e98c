import type { NeedKind } from '@svc/contracts/need'
import type { RouteOutput } from '@svc/contracts/rest'

type Needs = RouteOutput<'listNeeds'>

/** Those that only some of a team may know of, and only because they are the ones who are signed in. */
const notForAll: readonly NeedKind[] = ['disabled_webhook', 'ending_token']

const none = { mine: 0, all: 0 }

/** What waits without what is not for everybody who passes by. */
export function forAll(read: Needs): Needs {
  return {
    ...read,
    needs: read.needs.filter(({ kind }) => !notForAll.includes(kind)),
    counts: { ...read.counts, ...Object.fromEntries(notForAll.map((kind) => [kind, none])) },
  }
}
