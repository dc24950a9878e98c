import { useWorkspace } from '../../data/use-workspace.ts'
import { isInFlight } from '../../data/states.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { findEntry, focusEntry } from './changes.ts'
import { queueKeys } from './keys.ts'
import type { Scene } from './scene.ts'

/** The keys of the page, about the entry or queue that has the focus. */
export function useQueueKeys({ queues, doing, open }: Scene, isCovered: boolean): void {
  const { rights } = useWorkspace()
  const focused = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-sorted]')
    const id = row?.dataset['sorted']
    return id === undefined || isCovered ? undefined : findEntry(queues, id)
  }
  const press = (within: string, action: string) => {
    const button = document.querySelector<HTMLElement>(`${within} [data-action="${action}"]`)
    if (isCovered || button === null) return false
    button.click()
    return true
  }
  const ofQueue = (action: string) => () => {
    const section = document.activeElement?.closest<HTMLElement>('[data-queue]')
    const id = section?.dataset['queue'] ?? queues[0]?.id
    return press(`[data-queue="${id}"]`, action)
  }
  useKeys(
    queueKeys({
      mayCall: rights.mayCall,
      walk: (step) => {
        const all = queues.flatMap(({ entries }) => entries)
        const at = all.findIndex(({ id }) => id === focused()?.entry.id)
        const next = at === -1 ? all.at(step === 1 ? 0 : -1) : all[at + step]
        if (isCovered || next === undefined) return false
        return focusEntry(next.id)
      },
      step: (by) => {
        const id = focused()?.entry.id
        return id !== undefined && press(`[data-sorted="${id}"]`, by === 1 ? 'down' : 'up')
      },
      retry: () => {
        const found = focused()
        return found?.entry.state === 'held' && doing.retry(found.entry)
      },
      remove: () => {
        const found = focused()
        return found && !isInFlight(found.entry) && doing.remove(found.entry, found.queue)
      },
      start: ofQueue('start'),
      pause: ofQueue('pause'),
      create: () => !isCovered && open({ what: 'create' }),
    }),
  )
}
