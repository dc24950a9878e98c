import { findRoute } from '../../shell/routes.ts'
import type { Cause } from './notices.ts'

// A tab that has the focus holds a lock that is called after its place: it ends with the tab, whatever becomes of that.

type Locks = Pick<LockManager, 'request' | 'query'>

/** Held until the signal aborts. */
export function holdInSight(
  locks: Locks,
  prefix: string,
  place: string,
  signal: AbortSignal,
): void {
  const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const options = { mode: 'shared', signal } as const
  // it is not waited for: others may hold it, too
  void locks.request(`${prefix}${place}`, options, () => over).catch(() => undefined)
}

/** The places of tabs that have the focus, with their queries: one of a browser at most, and for a moment two. */
export async function placesInSight(locks: Locks, prefix: string): Promise<string[]> {
  const { held = [] } = await locks.query()
  return held.flatMap(({ name = '' }) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  )
}

/** Whether whoever looks at that page sees it there. */
export function shows(place: string, { mission, project }: Cause): boolean {
  const [path = '', search = ''] = place.split('?')
  const given = new URLSearchParams(search)
  const found = findRoute(path)
  if (found?.key === 'needs') return (given.get('project') ?? project) === project
  if (found?.key === 'wall') return (given.get('p') ?? project).split(',').includes(project)
  if (found?.key === 'mission' || found?.key === 'review')
    return found.params['mission'] === mission
  return found?.key === 'objective' && found.params['objective']?.split('.')[0] === mission
}
