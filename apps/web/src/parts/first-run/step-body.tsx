import { useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { CreateProject } from '../project/create-project.tsx'
import { ButtonLink } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { CallerChoice } from './caller-choice.tsx'
import { runnerCommand } from './commands.ts'
import styles from './first-run.module.css'
import { LinkCommand } from './link-command.tsx'
import { NoAgent } from './no-agent.tsx'
import type { StepName } from './steps.ts'
import type { FirstRun } from './use-first-run.ts'
import { WriteMission } from './write-mission.tsx'

interface StepBodyProps {
  step: StepName
  of: FirstRun
}

/** What is to be done for the step that is next. */
export function StepBody({ step, of }: StepBodyProps) {
  const { project, missionId, objective } = of
  switch (step) {
    case 'project':
      return <MakeProject />
    case 'runner':
      return of.isWithoutAgent ? <NoAgent /> : <StartRunner />
    case 'repository':
      return project && <LinkRepository project={project.slug} />
    case 'mission':
      return project && <WriteMission projectId={project.id} />
    case 'launch':
      return (
        objective && (
          <ButtonLink
            to={pathTo('objective', { objective: objective.displayId }, { do: 'launch' })}
          >
            Launch it
          </ButtonLink>
        )
      )
    case 'watch':
      return (
        missionId && (
          <ButtonLink to={pathTo('mission', { mission: missionId })}>Watch it</ButtonLink>
        )
      )
    case 'review':
      return (
        missionId && (
          <ButtonLink to={pathTo('review', { mission: missionId })}>Review it</ButtonLink>
        )
      )
  }
}

function MakeProject() {
  const [isOpen, open] = useState(false)
  return (
    <>
      <p>A project is a repository or a few that agents work on.</p>
      <Button look="first" onClick={() => open(true)}>
        Make one
      </Button>
      {isOpen && <CreateProject onClose={() => open(false)} />}
    </>
  )
}

/** Most who take the first steps have just run `npm start`. */
const likely = 'clone'

function StartRunner() {
  const { slug } = useWorkspace()
  const command = runnerCommand({ service: location.origin, workspace: slug })
  return (
    <>
      <p>
        A runner starts agents on a machine of yours. Run this there: it shows a code to approve
        here, and then takes launches until Ctrl-C.
      </p>
      <CallerChoice likely={likely} />
      <CopyCommand command={command} likely={likely} />
      <Waiting for="the runner" />
    </>
  )
}

function LinkRepository({ project }: { project: string }) {
  return (
    <>
      <p>Run this on the same machine, in another terminal.</p>
      <LinkCommand project={project} likely={likely} />
      <Waiting for="the repository" />
    </>
  )
}

function Waiting({ for: what }: { for: string }) {
  return (
    <p className={styles['waiting']} role="status">
      Waiting for {what}. This page goes on by itself.
    </p>
  )
}
