import { RefusedError } from '@svc/client/errors'
import type { RouteOutput } from '@svc/contracts/rest'
import { useRef, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { useSilenceOfRuns } from '../../data/use-silence.ts'
import { needs } from '../../shell/needs-count.ts'
import { Problem } from '../../shell/problem.tsx'
import { pathTo } from '../../shell/routes.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tick } from '../../ui/tick.ts'
import { projectsOf } from './asked.ts'
import { beginOfDay } from './begin-of-day.ts'
import { forAll } from './for-all.ts'
import { Head } from './head.tsx'
import { wallKeys } from './keys.ts'
import { Leave } from './leave.tsx'
import { WallList } from './list.tsx'
import { LostNotice } from './lost-notice.tsx'
import { beyond, numbersOf } from './numbers.ts'
import { needsRequest, runs, runsRequest } from './reads.ts'
import { rowsOf } from './rows.ts'
import { type Lost, useLost } from './use-lost.ts'
import { useNewerVersion } from './use-newer-version.ts'
import { usePointerMoves } from './use-pointer-moves.ts'
import { useTriedAgain } from './use-tried-again.ts'
import { useWakeLock } from './use-wake-lock.ts'
import styles from './wall.module.css'

/** A screen that a team looks at: nothing of it is pressed, and nobody has to look after it. */
export function Page() {
  const [, go] = useLocation()
  const projects = projectsOf(useSearch())
  const today = useSyncExternalStore(tick.subscribe, () => beginOfDay(tick.get()))
  const waiting = useRead(needs, needsRequest(projects))
  const running = useRead(runs, runsRequest(projects, today))
  useSilenceOfRuns('listExecutionRequests', running.data?.executionRequests)
  // another day is another request: what is known stays until its answer is there
  const read = useKept(waiting.data)
  const known = { needs: read && forAll(read), runs: useKept(running.data) }
  const lost = useLost()
  const error = waiting.error ?? running.error
  const shown = isTakenAway(lost, error) ? { needs: undefined, runs: undefined } : known
  const hasMoved = usePointerMoves()
  useTriedAgain([waiting, running])
  useWakeLock()
  useNewerVersion()
  useKeys(wallKeys({ leave: () => go(pathTo('needs', {})) }))
  const numbers = shown.needs && numbersOf(shown.needs.counts, shown.runs?.counts)
  return (
    <div className={hasMoved ? styles['wall'] : `${styles['wall']} ${styles['still']}`}>
      <Head projects={projects} numbers={numbers} />
      {lost && <LostNotice lost={lost} />}
      {error && !lost && <Problem error={error} />}
      {shown.needs && shown.runs ? (
        <Shown needs={shown.needs} runs={shown.runs} />
      ) : (
        !error && !lost && <Skeleton rows={6} />
      )}
      <Leave isShown={hasMoved} />
    </div>
  )
}

/** Nobody closes the page of somebody who may not read it any more: what it has read does not stay on the screen. */
function isTakenAway(lost: Lost | undefined, error: Error | null): boolean {
  if (lost) return lost.how === 'no-member'
  return error instanceof RefusedError && [403, 404].includes(error.status)
}

interface ShownProps {
  needs: RouteOutput<'listNeeds'>
  runs: RouteOutput<'listExecutionRequests'>
}

function Shown(read: ShownProps) {
  const rows = rowsOf(read.needs.needs, read.runs)
  if (rows.length === 0) {
    return <p className={styles['empty']}>Nothing needs anybody. No run is under way.</p>
  }
  return <WallList rows={rows} beyond={beyond(read)} />
}

function useKept<T>(data: T | undefined): T | undefined {
  const kept = useRef(data)
  if (data !== undefined) kept.current = data
  return kept.current
}
