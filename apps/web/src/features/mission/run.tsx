import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isLive } from '../../data/states.ts'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { StepLink } from '../../shell/step-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { AgainIn, Ago } from '../../ui/time.tsx'
import { duration } from '../../words/duration.ts'
import { money, short } from '../../words/mission.ts'
import { reasonsOfRun, wordsOfRun } from '../../words/runs.ts'
import { Resume } from './resume.tsx'
import styles from './run.module.css'
import { useScene } from './scene.ts'

/** A run in a line: what it is in, where, since when, and how far its agent has come. */
export function RunLine({ run }: { run: ExecutionRequest }) {
  return (
    <div className={styles['line']}>
      <Badge of={wordsOfRun(run)} />
      <Where run={run} />
      <Progress run={run} />
      <Reasons run={run} />
    </div>
  )
}

function Where({ run }: { run: ExecutionRequest }) {
  const { runnerLabel, createdAt, endedAt } = run
  return (
    <span className={styles['where']}>
      {runnerLabel !== null && (
        <>
          <Text>{runnerLabel}</Text>
          {' · '}
        </>
      )}
      {endedAt === null ? 'since ' : 'ended '}
      <Ago at={endedAt ?? createdAt} />
    </span>
  )
}

function Progress({ run: { progress, ...run } }: { run: ExecutionRequest }) {
  if (progress === null || !isLive({ ...run })) return null
  const { percent, note } = progress
  return (
    <span className={styles['progress']}>
      {percent !== null && (
        <>
          <progress max={100} value={percent} aria-label={`${percent} %`} />
          {Math.round(percent)} %
        </>
      )}
      {note !== null && (
        <span className={styles['note']}>
          <Text>{note}</Text>
        </span>
      )}
    </span>
  )
}

/** Why it waits or ended so, and what ends that. */
function Reasons({ run }: { run: ExecutionRequest }) {
  const { untaken, calledOff } = useScene().shown
  const service = [untaken[run.id], calledOff[run.id]].filter((one) => one !== undefined)
  const reasons = calledOff[run.id] === undefined ? reasonsOfRun(run) : []
  const all = [...new Set([...service, ...reasons])]
  const isOver = !isLive(run)
  const until = isOver || run.status === 'launched' ? undefined : run.lastRelease?.until
  const step = isOver ? run.failure?.next : run.lastRelease?.next
  if (all.length === 0 && step === undefined) return null
  return (
    <span className={styles['reasons']}>
      {all.map((reason) => (
        <span key={reason}>
          <Text>{reason}</Text>{' '}
        </span>
      ))}
      {until != null && (
        <span>
          It is tried again <AgainIn at={until} />.{' '}
        </span>
      )}
      {step && <StepLink step={step} />}
    </span>
  )
}

/** The runs of an objective, the newest first; the last one can be called off, or gone on with. */
export function Runs({ runs }: { runs: readonly ExecutionRequest[] }) {
  if (runs.length === 0) return null
  return (
    <section className={styles['runs']} aria-label="Runs">
      <h3>Runs</h3>
      <ul>
        {runs.map((run, index) => (
          <li key={run.id}>
            <Run run={run} isLast={index === 0} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Run({ run, isLast }: { run: ExecutionRequest; isLast: boolean }) {
  const { open, shown } = useScene()
  const { rights } = useWorkspace()
  const mayCancel =
    isLive(run) && run.cancelRequestedAt === null && rights.mayCall('cancelObjective')
  const objective = shown.objectives.find(({ id }) => id === run.objectiveId)
  const canResume = shown.nextSteps.some(
    ({ next }) => next.operation === 'resumeObjective' && next.params.id === objective?.displayId,
  )
  return (
    <>
      <div className={styles['line']}>
        <Badge of={wordsOfRun(run)} />
        <span>
          <Text>{run.agent}</Text>
        </span>
        <Where run={run} />
        <Used run={run} />
        <Link to={pathTo('run', { run: run.id })}>Log</Link>
        <Progress run={run} />
        <Reasons run={run} />
      </div>
      {run.warnings.length > 0 && (
        <ul className={styles['warnings']}>
          {run.warnings.map((warning) => (
            <li key={warning}>
              <Text>{warning}</Text>
            </li>
          ))}
        </ul>
      )}
      {mayCancel && (
        <Button onClick={() => open({ what: 'cancel', objective: run.objectiveId })}>
          Cancel …
        </Button>
      )}
      {isLast && canResume && rights.mayCall('resumeObjective') && (
        <Resume objectiveId={run.objectiveId} data-action="resume">
          Go on where it ended
        </Resume>
      )}
    </>
  )
}

function Used({ run: { usage, seconds, branch } }: { run: ExecutionRequest }) {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  const said = [
    ...(seconds === null ? [] : [duration(seconds)]),
    ...(usage?.usd === undefined ? [] : [money(usage.usd)]),
    ...(tokens === 0 ? [] : [`${short(tokens)} tokens`]),
  ]
  return (
    <span className={styles['where']}>
      {said.join(' · ')}
      {branch !== null && (
        <>
          {said.length > 0 && ' · '}
          <code>
            <Text>{branch}</Text>
          </code>
        </>
      )}
    </span>
  )
}
