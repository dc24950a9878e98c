import { browserStorage, keep } from '../data/storage.ts'
import { createStore } from '../data/store.ts'
import { useStore } from '../data/use-workspace.ts'

/** How `svc` is called on the machine that a command is copied to: within a clone of svc, or installed from its package. */
const callers = { clone: 'npm run -s svc --', installed: 'svc' } as const
export type Caller = keyof typeof callers

const name = 'svc:caller'
const kept = browserStorage.getItem(name)
const chosen = createStore<Caller | undefined>(isCaller(kept) ? kept : undefined)
chosen.subscribe(() => keep(browserStorage, name, chosen.get()))

/** As somebody has chosen it in this browser, on whatever page; else as is likely there. */
export function useCaller(likely: Caller = 'installed'): Caller {
  return useStore(chosen) ?? likely
}

export const chooseCaller = chosen.set

/** A line that is written with `svc`, as it is typed there. */
export function calledBy(caller: Caller, line: string): string {
  return line.replaceAll(/(?<=^|&& )svc(?= )/g, callers[caller])
}

function isCaller(text: string | null): text is Caller {
  return text !== null && Object.hasOwn(callers, text)
}
