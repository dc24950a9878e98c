import { useCallback, useEffect, useRef, useState } from 'react'
import { startWorker } from '../../../data/start-worker.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import type { FindAsked, FindSaid } from './find-messages.ts'
// the build gives its address
// oxlint-disable-next-line import/default
import workerAddress from './find.worker.ts?worker&url'
import { type Finding, begunAgain, nothingFound, takeFound } from './finding.ts'

/** Looks for a term in the whole of a log, and in what comes later. */
export function useFind(run: string, length: number) {
  const { slug } = useWorkspace()
  const [finding, setFinding] = useState<Finding>(nothingFound)
  const worker = useRef<Worker>(undefined)
  useEffect(() => () => worker.current?.terminate(), [])

  const ask = useCallback((asked: FindAsked) => {
    if (worker.current === undefined) {
      worker.current = startWorker(workerAddress)
      worker.current.addEventListener('message', ({ data }: MessageEvent<FindSaid>) =>
        setFinding((before) => takeFound(before, data)),
      )
      worker.current.addEventListener('error', (event) =>
        setFinding((before) => ({ ...before, state: 'failed', message: event.message })),
      )
    }
    worker.current.postMessage(asked)
  }, [])
  const find = useCallback(
    (term: string) => {
      if (term === '') {
        worker.current?.terminate()
        worker.current = undefined
        return setFinding(nothingFound)
      }
      const asked = { workspace: slug, run, term, from: 0, length }
      setFinding({ ...nothingFound, asked, state: 'looking' })
      ask(asked)
    },
    [ask, slug, run, length],
  )
  useEffect(() => {
    const next = begunAgain(finding, length)
    if (next?.asked === undefined) return
    setFinding(next)
    ask(next.asked)
  }, [ask, finding, length])
  return { finding, find }
}
