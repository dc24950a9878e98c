import { useContext } from 'react'
import { browserStorage, keep } from '../data/storage.ts'
import { createStore } from '../data/store.ts'
import { WorkspaceContext, useStore } from '../data/use-workspace.ts'

/** How `svc` is called on the machine that a command is copied to: within a clone of svc, or installed from its package. */
const callers = { clone: 'npm run -s svc --', installed: 'svc' } as const
export type Caller = keyof typeof callers

const name = 'svc:caller'
const kept = browserStorage.getItem(name)
const chosen = createStore<Caller | undefined>(isCaller(kept) ? kept : undefined)
chosen.subscribe(() => keep(browserStorage, name, chosen.get()))

/**
 * As somebody has chosen it in this browser, on whatever page; else as is likely there. A service on the computer of the
 * browser was mostly started from a clone.
 */
export function useCaller(likely: Caller = isOnThisComputer() ? 'clone' : 'installed'): Caller {
  return useStore(chosen) ?? likely
}

function isOnThisComputer(): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)
}

export const chooseCaller = chosen.set

/** The one of the page, for whoever is in several; a page outside of any has none to name. */
export function useNamedWorkspace(): string | undefined {
  const workspace = useContext(WorkspaceContext)
  return workspace && workspace.me.workspaces.length > 1 ? workspace.slug : undefined
}

/**
 * A line that is written with `svc`, as it is typed there. A machine may be signed in to several workspaces, so whoever is in
 * several has the one that is meant named.
 */
export function calledBy(caller: Caller, line: string, workspace?: string): string {
  return line.replaceAll(/(?<=^|&& )svc (?=(\S+))/g, (_, command: string) => {
    // a login names its own
    const isNamed = workspace !== undefined && command !== 'login'
    return `${callers[caller]} ${isNamed ? `--workspace ${workspace} ` : ''}`
  })
}

function isCaller(text: string | null): text is Caller {
  return text !== null && Object.hasOwn(callers, text)
}
