import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { isUnanswered } from '../data/unanswered.ts'
import { WorkspaceContext, useStore } from '../data/use-workspace.ts'
import { type Workspace, withMe } from '../data/workspace.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Keyboard } from './keys.ts'
import { Problem } from './problem.tsx'
import { Shell } from './shell.tsx'
import styles from './shell.module.css'
import { KeyboardContext } from './use-keys.ts'

interface AppProps {
  slug: string
  open: () => Promise<Workspace>
  keyboard: Keyboard
}

/** A service that does not answer is asked again as often: a screen on a wall has nobody who would. */
const againMs = 5_000

type Opened = { workspace: Workspace } | { error: Error } | undefined

export function App({ slug, open, keyboard }: AppProps) {
  const [opened, setOpened] = useState<Opened>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isOver = false
    let workspace: Workspace | undefined
    open().then(
      (it) => {
        workspace = it
        if (isOver) it.close()
        else setOpened({ workspace: it })
      },
      (error: unknown) => {
        if (!isOver) setOpened({ error: error instanceof Error ? error : new Error(String(error)) })
      },
    )
    return () => {
      isOver = true
      workspace?.close()
    }
  }, [open, attempt])
  useEffect(() => {
    if (opened === undefined || !('error' in opened) || !isUnanswered(opened.error))
      return undefined
    const timer = setTimeout(() => setAttempt((before) => before + 1), againMs)
    return () => clearTimeout(timer)
  }, [opened])
  if (opened === undefined || 'error' in opened) {
    const retry = () => {
      setOpened(undefined)
      setAttempt(attempt + 1)
    }
    return (
      <Router base={`/w/${slug}`}>
        <div className={styles['boot']}>
          {opened ? <Problem error={opened.error} onRetry={retry} /> : <Skeleton />}
        </div>
      </Router>
    )
  }
  return (
    <KeyboardContext value={keyboard}>
      <Router base={`/w/${slug}`}>
        <InWorkspace workspace={opened.workspace} />
      </Router>
    </KeyboardContext>
  )
}

/** What somebody is here may change while pages are open: all that depends on it is drawn anew. */
function InWorkspace({ workspace }: { workspace: Workspace }) {
  const me = useStore(workspace.who)
  const now = useMemo(() => withMe(workspace, me), [workspace, me])
  return (
    <WorkspaceContext value={now}>
      <QueryClientProvider client={workspace.queries}>
        <Shell />
      </QueryClientProvider>
    </WorkspaceContext>
  )
}
