import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'
import { notifiedPrefix } from '../../data/notify-setting.ts'
import { useRead } from '../../data/reads.ts'
import { browserStorage, keep } from '../../data/storage.ts'
import { useStore, useWorkspace } from '../../data/use-workspace.ts'
import { findRoute, routeRow } from '../../shell/routes.ts'
import { holdInSight, placesInSight, shows } from './in-sight.ts'
import { readKeys, takeKeys } from './known.ts'
import { type Notice, causesIn, noticesOf } from './notices.ts'
import { mine, mineRequest } from './reads.ts'
import { type Shown, openShown } from './show.ts'
import { useStanding } from './use-standing.ts'

/** In each tab as long as it is turned on; the one that follows the feed notifies for all of them. */
export function Notify() {
  const { isLeading, service } = useWorkspace()
  const leads = useStore(isLeading)
  // what was shown goes with the sign-in
  const { isSignedIn } = useStore(service.connection)
  const isGranted = useStanding() === 'granted'
  useInSight()
  return leads && isGranted && isSignedIn ? <Leading /> : null
}

function usePrefix(): string {
  const { me } = useWorkspace()
  return `svc:in-sight:${me.user.id}:${me.workspace.id}:`
}

/** Tells the others what somebody looks at here. */
function useInSight(): void {
  const hasFocus = useSyncExternalStore(subscribeToFocus, () => document.hasFocus())
  const prefix = usePrefix()
  const [path] = useLocation()
  const search = useSearch()
  useEffect(() => {
    if (!hasFocus) return undefined
    const looking = new AbortController()
    holdInSight(navigator.locks, prefix, search === '' ? path : `${path}?${search}`, looking.signal)
    return () => looking.abort()
  }, [hasFocus, prefix, path, search])
}

function subscribeToFocus(hear: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  for (const event of ['focus', 'blur']) window.addEventListener(event, hear, { signal })
  document.addEventListener('visibilitychange', hear, { signal })
  return () => listening.abort()
}

function Leading() {
  const { me } = useWorkspace()
  const { data, dataUpdatedAt, refetch } = useRead(mine, mineRequest)
  const [begunAt] = useState(() => Date.now())
  const prefix = usePrefix()
  const shown = useShown()
  const latest = useRef<ReadonlySet<string>>(new Set())
  const name = notifiedPrefix(me.user.id) + me.workspace.id
  useEffect(() => {
    if (readKeys(browserStorage.getItem(name)) === undefined) void refetch()
  }, [name, refetch])
  useEffect(() => {
    if (data === undefined) return
    const causes = causesIn(data.needs)
    const kept = readKeys(browserStorage.getItem(name))
    // what was read before it was turned off knows nothing of what came meanwhile
    if (kept === undefined && dataUpdatedAt < begunAt) return
    const { keys, fresh } = takeKeys(
      kept,
      causes.map(({ key }) => key),
      data.nextCursor !== undefined,
    )
    latest.current = new Set(keys)
    // before anything is shown, so that no other tab shows it, too
    keep(browserStorage, name, JSON.stringify(keys))
    shown.current?.settle((key) => latest.current.has(key))
    const tell = async () => {
      const places = await placesInSight(navigator.locks, prefix)
      const unseen = causes
        .filter(({ key }) => fresh.includes(key) && latest.current.has(key))
        .filter((cause) => !places.some((place) => shows(place, cause)))
      for (const notice of noticesOf(unseen)) shown.current?.show(notice)
    }
    if (fresh.length > 0) void tell()
  }, [data, dataUpdatedAt, begunAt, name, prefix, shown])
  return null
}

/** Gone with the tab, with its lead, or when it is turned off. */
function useShown() {
  const { slug, me } = useWorkspace()
  const { id } = me.workspace
  const [path, go] = useLocation()
  const open = useRef<(notice: Notice) => void>(() => undefined)
  const shown = useRef<Shown | undefined>(undefined)
  useEffect(() => {
    open.current = (notice) => {
      const found = findRoute(path)
      // a wall stays one
      if (found && routeRow(found.key).isBare) {
        window.open(`/w/${slug}${notice.path}`, '_blank', 'noopener')
        return
      }
      window.focus()
      if (path !== notice.path) go(notice.path)
    }
  }, [path, go, slug])
  useEffect(() => {
    const opened = openShown(`svc:${id}:`, (notice) => open.current(notice))
    shown.current = opened
    return () => {
      shown.current = undefined
      opened.closeAll()
    }
  }, [id])
  return shown
}
