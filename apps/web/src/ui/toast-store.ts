import { createStore } from '../data/store.ts'
import { announce } from './announce.ts'

export interface Toast {
  id: number
  text: string
}

const shownMs = 6_000
let last = 0

export const toasts = createStore<readonly Toast[]>([])

/** Says for a few seconds what was done, or what somebody else has done; nothing that one has to act on. */
export function toast(text: string): void {
  last += 1
  const one = { id: last, text }
  toasts.set([...toasts.get(), one])
  announce(text)
  setTimeout(() => dropToast(one.id), shownMs)
}

export function dropToast(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}
