import type { ListedRun } from '@svc/contracts/execution-request'
import type { RunnerDetail } from '@svc/contracts/runner-detail'
import { useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { IdLink, Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { StepLink } from '../../shell/step-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { checkoutWords } from '../../words/runners.ts'
import { wordsOfRun } from '../../words/runs.ts'
import { OnItsMachine } from './on-its-machine.tsx'
import { runner as runnerRead } from './reads.ts'
import { RemoveRunner } from './remove-runner.tsx'
import styles from './runners.module.css'

/** What a runner last said of itself, what it runs, and what may be done with it. */
export function RunnerDetails({ id }: { id: string }) {
  const read = useRead(runnerRead, { id })
  return (
    <div className={styles['details']}>
      <Shown of={read} rows={2}>
        {({ runner, executionRequests }) => (
          <>
            <Facts of={runner} />
            <Checkouts of={runner} />
            <Runs of={executionRequests} />
            <Actions of={runner} />
          </>
        )}
      </Shown>
    </div>
  )
}

function Facts({ of: { owner, offers, projects, createdAt } }: { of: RunnerDetail }) {
  const { me } = useWorkspace()
  return (
    <dl className={styles['about']}>
      <div>
        <dt>Of</dt>
        <dd>
          <Text>{owner.name}</Text>
          {owner.id === me.user.id && ', you'}, since <Ago at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Takes launches of</dt>
        <dd>
          {projects === null
            ? 'every project'
            : projects.map(({ id, slug }, index) => (
                <span key={id}>
                  {index > 0 && ', '}
                  <Link to={pathTo('board', { project: slug })}>{slug}</Link>
                </span>
              ))}
          {projects?.length === 0 && 'projects that you may not see'}
        </dd>
      </div>
      <div>
        <dt>Agents</dt>
        <dd>
          {offers.length === 0 && 'none that it offers now'}
          {offers.map(({ key, version, path }, index) => (
            <span key={key} title={path ?? undefined}>
              {index > 0 && ', '}
              <Text>{version === null ? key : `${key} ${version}`}</Text>
            </span>
          ))}
        </dd>
      </div>
    </dl>
  )
}

function Checkouts({ of: { checkouts } }: { of: RunnerDetail }) {
  return (
    <section>
      <h3 className={styles['small']}>Checkouts</h3>
      {checkouts.length === 0 ? (
        <p className={styles['quiet']}>
          None of a linked repository: runs that need one go to other runners.
        </p>
      ) : (
        <ul aria-label="Checkouts">
          {checkouts.map(({ project, resourceKey, state, path }) => (
            <li key={`${project.id} ${resourceKey}`} className={styles['checkout']}>
              <Badge of={checkoutWords[state]} />
              <Text>{resourceKey}</Text>
              <span className={styles['quiet']}>
                of <Link to={pathTo('board', { project: project.slug })}>{project.slug}</Link>
              </span>
              {path !== null && (
                <code>
                  <Text>{path}</Text>
                </code>
              )}
              {state !== 'usable' && (
                <StepLink step={{ operation: 'connectResource', params: { resourceKey } }} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Runs({ of }: { of: readonly ListedRun[] }) {
  if (of.length === 0) return null
  return (
    <section>
      <h3 className={styles['small']}>Runs</h3>
      <ul aria-label="Runs">
        {of.map((run) => (
          <li key={run.id} className={styles['run']}>
            <Badge of={wordsOfRun(run)} />
            <IdLink id={run.objective.displayId} />
            <span className={styles['title']}>
              <Text>{run.objective.title}</Text>
            </span>
            <span className={styles['quiet']}>
              <Text>{run.agent}</Text>, <Ago at={run.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Actions({ of }: { of: RunnerDetail }) {
  const { me, rights } = useWorkspace()
  const [isRemoving, remove] = useState(false)
  const isOwn = of.owner.id === me.user.id
  const mayRemove = rights.mayCall('removeRunner') && (isOwn || me.role !== 'member')
  return (
    <>
      {isOwn && rights.mayCall('claimExecutionRequest') && (
        <Fold summary="On its machine">
          <OnItsMachine of={of} />
        </Fold>
      )}
      {mayRemove && (
        <div>
          <Button look="danger" onClick={() => remove(true)}>
            Remove …
          </Button>
        </div>
      )}
      {isRemoving && <RemoveRunner of={of} onClose={() => remove(false)} />}
    </>
  )
}
