import { useEffect, useRef, useState } from 'react'
import { createStore } from '../../../data/store.ts'
import { useStore, useWorkspace } from '../../../data/use-workspace.ts'
import { type LogState, type OpenLog, openLog } from './open-log.ts'
import { readerOf } from './read-log.ts'

const nothing = createStore<LogState | undefined>(undefined)

/** The log of a run, which follows what the live feed tells of it. `at` is where it is opened first. */
export function useLog(run: string, at: number | undefined) {
  const { service, mayRead, listen } = useWorkspace()
  const isReady = useStore(mayRead)
  const [log, setLog] = useState<OpenLog>()
  const first = useRef(at)
  useEffect(() => {
    if (!isReady) return
    const opened = openLog(readerOf(service.call, run), first.current)
    setLog(opened)
    let generation: number | undefined
    const leave = listen((news) => {
      if (news.type === 'start' || news.type === 'reset') opened.look()
      if (news.type !== 'log' || news.log.executionRequestId !== run) return
      if (generation !== undefined && generation !== news.log.generation) opened.restart()
      else opened.grew(news.log.bytes)
      generation = news.log.generation
    })
    return () => {
      leave()
      opened.stop()
    }
  }, [isReady, service, run, listen])
  const state = useStore<LogState | undefined>(log?.state ?? nothing)
  return { log, state }
}
