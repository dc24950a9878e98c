import { createStore } from '../data/store.ts'

const everyMs = 10_000
const store = createStore(Date.now())
let listeners = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time of day, for all that shows an age: one timer, and none where nothing does. */
export const tick = {
  get: store.get,
  subscribe: (hear: () => void) => {
    if (listeners === 0) {
      store.set(Date.now())
      timer = setInterval(() => store.set(Date.now()), everyMs)
    }
    listeners += 1
    const leave = store.subscribe(hear)
    return () => {
      leave()
      listeners -= 1
      if (listeners === 0) clearInterval(timer)
    }
  },
}
