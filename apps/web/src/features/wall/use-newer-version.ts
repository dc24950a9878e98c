import { useEffect } from 'react'
import { version as ours } from '../../data/contracts.values.ts'
import { useStore, useWorkspace } from '../../data/use-workspace.ts'
import { loadAnewFor } from './newer-version.ts'

const mark = 'svc:loaded-for'

/** Nobody is here to load the page anew when the service has become another: it does so itself. */
export function useNewerVersion(): void {
  const { version, feed } = useStore(useWorkspace().service.connection)
  useEffect(() => {
    if (feed === 'live' && version !== undefined) void consider(version)
  }, [version, feed])
}

async function consider(served: string): Promise<void> {
  try {
    const kept = sessionStorage.getItem(mark)
    const text = loadAnewFor({ ours, served, kept, now: Date.now() })
    // what stands here is better than a page that says that there is none
    if (text === undefined || !(await isServed())) return
    sessionStorage.setItem(mark, text)
  } catch {
    // what cannot be remembered would be done again and again
    return
  }
  location.reload()
}

async function isServed(): Promise<boolean> {
  return fetch(location.pathname, { method: 'HEAD', redirect: 'manual' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
