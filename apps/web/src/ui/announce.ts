import { createStore } from '../data/store.ts'

export interface Said {
  text: string
  /** The same text said again is said again. */
  count: number
}

/** What the two live regions of the page say: `polite` when there is a pause, `assertive` at once. */
export const polite = createStore<Said>({ text: '', count: 0 })
export const assertive = createStore<Said>({ text: '', count: 0 })

/** What has changed, or was done. */
export function announce(text: string): void {
  polite.set({ text, count: polite.get().count + 1 })
}

/** A refusal, of what somebody has just asked for. */
export function announceRefusal(text: string): void {
  assertive.set({ text, count: assertive.get().count + 1 })
}
