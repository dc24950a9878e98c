import type { ListedRun } from '@svc/contracts/execution-request'
import type { RouteOutput } from '@svc/contracts/rest'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { isLive } from '../../data/states.ts'
import { useSilenceOfRuns } from '../../data/use-silence.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { RunnerOfRun } from '../../parts/runner/runner-name.tsx'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { IdLink, Link } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { ShownUntilGone } from '../../shell/shown-until-gone.tsx'
import { nameTab } from '../../shell/tab-mark.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { wordsOfRun } from '../../words/runs.ts'
import { CancelRun } from './cancel.tsx'
import { Settings, Steps, Used } from './facts.tsx'
import { runKeys } from './keys.ts'
import { Log } from './log/log.tsx'
import { namesRead, runRead, stepsRead, stepsRequest } from './reads.ts'
import { Reasons } from './reasons.tsx'
import { stepsOf } from './steps.ts'
import styles from './run.module.css'

/** One run: how it came on and why it ended so, what it used, and what it prints. */
export function Page({ params }: { params: Readonly<Record<string, string>> }) {
  const read = useRead(runRead, { id: params['run'] ?? '' })
  useSilenceOfRuns('getExecutionRequest', read.data && [read.data.executionRequest])
  return (
    <ShownUntilGone of={read} title="Run">
      {(answer) => <Run key={answer.executionRequest.id} {...answer} />}
    </ShownUntilGone>
  )
}

function Run({ executionRequest: run, reason, nextSteps }: RouteOutput<'getExecutionRequest'>) {
  const { rights } = useWorkspace()
  const names = useRead(namesRead, { ids: run.id }).data?.executionRequests[0]
  const events = useRead(stepsRead, stepsRequest(run)).data?.events ?? []
  const [search, setSearch] = useSearchParams()
  const isCancelling = search.get('do') === 'cancel'
  const setCancelling = (on: boolean) =>
    setSearch(
      (now) => {
        const { do: _done, ...rest } = Object.fromEntries(now)
        return on ? { ...rest, do: 'cancel' } : rest
      },
      { replace: true },
    )
  const [, go] = useLocation()
  const resume = useAction('resumeObjective', {
    onDone: ({ executionRequest }) => {
      toast('It goes on in a run of its own.')
      go(pathTo('run', { run: executionRequest.id }))
    },
  })
  const mayCancel =
    isLive(run) && run.cancelRequestedAt === null && rights.mayCall('cancelExecutionRequest')
  const canResume = nextSteps.some(({ next }) => next.operation === 'resumeObjective')
  const mayResume = canResume && rights.mayCall('resumeObjective')
  const goOn = () => void resume.send({ id: run.objectiveId })
  useKeys(
    runKeys({
      cancel: mayCancel ? () => setCancelling(true) : undefined,
      resume: mayResume ? goOn : undefined,
    }),
  )
  const title = names?.objective.displayId ?? ''
  useEffect(() => {
    if (title !== '') nameTab(`Run of ${title}`)
  }, [title])
  return (
    <div className={styles['run']}>
      <PageHead
        title={
          <>
            Run {names && <>of {names.deleted ? <Text>{title}</Text> : <IdLink id={title} />} </>}
            <span className={styles['state']}>
              <Badge of={wordsOfRun(run)} />
            </span>
          </>
        }
      >
        <div className={styles['actions']}>
          {mayResume && (
            <Button look="first" disabled={resume.state.name === 'sending'} onClick={goOn}>
              Go on where it ended
            </Button>
          )}
          {mayCancel && <Button onClick={() => setCancelling(true)}>Cancel …</Button>}
        </div>
      </PageHead>
      <ActionProblem of={resume} />
      <Facts run={run} names={names} />
      <Progress run={run} />
      <Steps steps={stepsOf(run, events)} />
      <Reasons run={run} reason={reason} nextSteps={nextSteps} />
      <Settings run={run} />
      <Log run={run.id} name={`${title || run.id}.log`.replace(':', '-')} isOver={!isLive(run)} />
      {isCancelling && mayCancel && <CancelRun id={run.id} onClose={() => setCancelling(false)} />}
    </div>
  )
}

type OfRun = Pick<RouteOutput<'getExecutionRequest'>, 'executionRequest'>['executionRequest']

function Facts({ run, names }: { run: OfRun; names: ListedRun | undefined }) {
  const { agent, runnerId, runnerLabel, branch, createdAt, endedAt, outcome, objectiveId } = run
  const mission = names?.mission
  return (
    <p className={styles['facts']}>
      {mission && (
        <span>
          <IdLink id={mission.displayId} /> <Text>{names.objective.title}</Text>
        </span>
      )}
      <span>
        <Text>{agent}</Text>
        {runnerLabel !== null && ' on '}
        {runnerLabel !== null && (
          <Link to={pathTo('runners', {})}>
            <RunnerOfRun id={runnerId} label={runnerLabel} />
          </Link>
        )}
      </span>
      {branch !== null && (
        <code>
          <Text>{branch}</Text>
        </code>
      )}
      <span>
        {endedAt === null ? 'queued ' : 'ended '}
        <Ago at={endedAt ?? createdAt} />
      </span>
      <Used run={run} />
      {mission && outcome === 'delivered' && (
        <Link
          to={pathTo('review', { mission: mission.displayId }, { o: names.objective.displayId })}
        >
          Review
        </Link>
      )}
      <Link to={pathTo('runs', {}, { objective: names?.objective.displayId ?? objectiveId })}>
        All runs of it
      </Link>
    </p>
  )
}

function Progress({ run }: { run: OfRun }) {
  if (run.progress === null || !isLive(run)) return null
  const { percent, note } = run.progress
  return (
    <p className={styles['progress']}>
      {percent !== null && (
        <>
          <progress max={100} value={percent} aria-label={`${Math.round(percent)} %`} />
          <span>{Math.round(percent)} %</span>
        </>
      )}
      {note !== null && <Text>{note}</Text>}
    </p>
  )
}
