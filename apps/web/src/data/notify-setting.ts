import { type Store, createStore } from './store.ts'
import { keep } from './storage.ts'

export interface NotifyOptions {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  openChannel: (name: string) => BroadcastChannel
  /** The id of the person: whoever else uses this browser is not notified. */
  person: string
  signal: AbortSignal
}

/** Under names that begin so the browser remembers what it has notified of: nothing of before it was turned on is news. */
export function notifiedPrefix(person: string): string {
  return `svc:notified:${person}:`
}

/** Whether this browser notifies this person, in whichever of its tabs that was turned on or off. */
export function openNotifySetting(options: NotifyOptions): Store<boolean> {
  const { storage, openChannel, person, signal } = options
  const name = `svc:notify:${person}`
  const before = notifiedPrefix(person)
  const setting = createStore(storage.getItem(name) !== null)
  const channel = openChannel(name)
  // a browser that keeps nothing tells the tabs that are open all the same
  channel.addEventListener('message', ({ data }: MessageEvent<boolean>) => setting.set(data))
  signal.addEventListener('abort', () => channel.close())
  return {
    ...setting,
    set: (isOn) => {
      keep(storage, name, isOn ? '1' : undefined)
      for (const kept of namesIn(storage))
        if (kept.startsWith(before)) keep(storage, kept, undefined)
      setting.set(isOn)
      if (!signal.aborted) channel.postMessage(isOn)
    },
  }
}

function namesIn(storage: NotifyOptions['storage']): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
}
