import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Problem } from '../../../shell/problem.tsx'
import { pathTo } from '../../../shell/routes.ts'
import { useKeys } from '../../../shell/use-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Check } from '../../../ui/check.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useWide } from '../../../ui/use-wide.ts'
import { bytesInWords } from '../../../words/bytes.ts'
import { Download } from './download-button.tsx'
import { FindBar } from './find-bar.tsx'
import { hitFrom } from './finding.ts'
import { rowsOf, nothingHeld } from './held.ts'
import { LogRows, type RowsHandle } from './log-rows.tsx'
import { logKeys } from '../keys.ts'
import { useFind } from './use-find.ts'
import { useLog } from './use-log.ts'
import styles from './log.module.css'

interface LogProps {
  run: string
  /** What it is downloaded as. */
  name: string
  isOver: boolean
}

/** What a run prints, from its end on. */
export function Log({ run, name, isOver }: LogProps) {
  const [, setLocation] = useLocation()
  const at = placeIn(useSearch())
  const isWide = useWide()
  const { log, state } = useLog(run, at)
  const held = state?.held ?? nothingHeld
  const { finding, find } = useFind(run, held.length)
  const [isFollowing, follow] = useState(at === undefined)
  const [isWrapped, wrap] = useState(!isWide)
  const [isFindOpen, openFind] = useState(false)
  const [seen, setSeen] = useState(0)
  const [hit, setHit] = useState<number>()
  const handle = useRef<RowsHandle>(null)
  const rows = useMemo(
    () => rowsOf({ ...held, lines: new Map([...held.lines, ...finding.lines]) }),
    [held, finding.lines],
  )

  /** The place that is to be on screen once it is held. */
  const [wanted, want] = useState(at)
  const goTo = useCallback(
    (offset: number) => {
      follow(false)
      void log?.goTo(offset).then(
        () => want(offset),
        () => undefined,
      )
    },
    [log],
  )
  useEffect(() => {
    if (wanted === undefined || rows.count === 0) return
    handle.current?.show(wanted)
    want(undefined)
  }, [wanted, rows])
  useEffect(() => {
    if (at !== undefined) goTo(at)
  }, [at, goTo])

  const goToHit = (way: 'older' | 'newer') => {
    const next = hitFrom(finding.hits, hit, way)
    if (next === undefined) return
    setHit(next)
    goTo(next)
  }
  const firstHit = finding.hits.at(-1)
  useEffect(() => {
    // what is newest is found first, and shown as soon as it is
    if (firstHit === undefined || hit !== undefined) return
    setHit(firstHit)
    goTo(firstHit)
  }, [firstHit, hit, goTo])
  const showFind = () => {
    openFind(true)
    document.querySelector<HTMLElement>('[data-action="find"]')?.focus()
  }
  const closeFind = () => {
    openFind(false)
    find('')
    setHit(undefined)
  }
  const toEnd = () => {
    if (at !== undefined) setLocation(pathTo('run', { run }), { replace: true })
    void log?.toEnd().then(
      () => follow(true),
      () => undefined,
    )
  }
  const onHold = useCallback(() => follow(false), [])
  const onNear = useCallback((end: 'older' | 'newer') => log?.[end](), [log])
  useKeys(
    logKeys({
      find: showFind,
      go: goToHit,
      toEnd,
      wrap: () => wrap((now) => !now),
    }),
  )
  const left = Math.max(0, held.length - seen)
  return (
    <section className={styles['log']} aria-label="Log of the run">
      <div className={styles['head']}>
        <h2>
          Log <span className={styles['size']}>{state?.isRead && bytesInWords(held.length)}</span>
        </h2>
        <div className={styles['tools']}>
          <Button look="bare" aria-expanded={isFindOpen} onClick={showFind}>
            <Icon name="search" /> Find
          </Button>
          <Check checked={isFollowing} onChange={(on) => (on ? toEnd() : follow(false))}>
            {isOver ? 'At the end' : 'Follow'}
          </Check>
          <Check checked={isWrapped} onChange={wrap}>
            Wrap
          </Check>
          <Download run={run} name={name} />
        </div>
      </div>
      {isFindOpen && (
        <FindBar
          finding={finding}
          current={hit}
          onFind={(term) => {
            setHit(undefined)
            find(term)
          }}
          onGo={goToHit}
          onClose={closeFind}
        />
      )}
      {state?.error && <Problem error={state.error} onRetry={log?.again} />}
      {state === undefined || (!state.isRead && !state.error) ? (
        <Skeleton rows={6} />
      ) : (
        <div className={styles['frame']}>
          {held.length === 0 ? (
            <p className={styles['empty']}>
              {isOver ? 'It has printed nothing that is kept.' : 'It has printed nothing yet.'}
            </p>
          ) : (
            <LogRows
              ref={handle}
              run={run}
              rows={rows}
              term={finding.asked?.term ?? ''}
              current={hit ?? at}
              isWrapped={isWrapped}
              isFollowing={isFollowing}
              onHold={onHold}
              onNear={onNear}
              onSeen={setSeen}
            />
          )}
          {!isFollowing && left > 0 && (
            <Button className={styles['toEnd'] ?? ''} onClick={toEnd}>
              <Icon name="down" /> {bytesInWords(left)} more
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** The byte that the address names. */
function placeIn(search: string): number | undefined {
  const given = new URLSearchParams(search).get('at') ?? ''
  return /^[0-9]{1,15}$/.test(given) ? Number(given) : undefined
}
