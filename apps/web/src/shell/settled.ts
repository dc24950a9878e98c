import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { createStore } from '../data/store.ts'

const settled = createStore(false)

/** Rendered next to the page that was opened first: tells once it has read all that it shows. */
export function Settling() {
  const queries = useQueryClient()
  useIsFetching()
  // after each drawing: the reads of a page next to it have begun by then
  useEffect(() => {
    if (settled.get() || queries.isFetching() > 0) return
    performance.mark('svc:settled')
    settled.set(true)
  })
  return null
}

/** Whether the first page is there with all that it reads: what can wait is read after that. */
export function useSettled(): boolean {
  return useSyncExternalStore(settled.subscribe, settled.get)
}
