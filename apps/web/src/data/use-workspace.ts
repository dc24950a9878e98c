import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Store } from './store.ts'
import type { Workspace } from './workspace.ts'

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

/** The workspace of the page; every page below the shell has one. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext)
  if (workspace === undefined) throw new Error('A page is shown outside of the shell.')
  return workspace
}

export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
