import { useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { Problem } from '../../../shell/problem.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { downloadLog } from './download.ts'
import { readerOf } from './read-log.ts'

/** Pressed again it is given up. */
export function Download({ run, name }: { run: string; name: string }) {
  const { service } = useWorkspace()
  const [part, setPart] = useState<number>()
  const [problem, setProblem] = useState<Error>()
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])
  const download = async () => {
    const { signal } = (ending.current = new AbortController())
    setProblem(undefined)
    setPart(0)
    try {
      await downloadLog(readerOf(service.call, run), { name, onPart: setPart, signal })
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setPart(undefined)
    }
  }
  return (
    <>
      <Button
        look="bare"
        onClick={() => (part === undefined ? void download() : ending.current?.abort())}
      >
        <Icon name="down" /> {part === undefined ? 'Download' : `${Math.floor(part * 100)} %, stop`}
      </Button>
      {problem && <Problem error={problem} />}
    </>
  )
}
