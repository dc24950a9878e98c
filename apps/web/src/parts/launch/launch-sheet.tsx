import { RefusedError } from '@svc/client/errors'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { KnownAgent } from '@svc/contracts/known-agent'
import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { RouteOutput } from '@svc/contracts/rest'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useDraftForm } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { StepLink } from '../../shell/step-link.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refusalWords } from '../../words/refusal.ts'
import { BusyActions } from './busy-actions.tsx'
import { Candidates } from './candidates.tsx'
import { type WantedLaunch, firstChoice, requestOf } from './choice.ts'
import { Choices } from './choices.tsx'
import styles from './launch.module.css'
import { agents } from './reads.ts'
import { useForecast } from './use-forecast.ts'
import { WhatRuns } from './what-runs.tsx'

type Launched = RouteOutput<'launchObjective'>

export interface LaunchSheetProps {
  mission: Pick<Mission, 'id' | 'projectId'>
  objective: Objective
  /** Of the objective, else of its mission. */
  lastRun: Pick<ExecutionRequest, 'agent'> | undefined
  wanted: WantedLaunch
  onClose: () => void
  onLaunched: (answer: Launched) => void
}

/** With what an objective is launched, what that would be, and who could take it. */
export function LaunchSheet(props: LaunchSheetProps) {
  const { objective } = props
  const { rights, drafts } = useWorkspace()
  const onClose = () => {
    drafts.drop(draftOf(objective))
    props.onClose()
  }
  const maySee = rights.mayCall('listAgents')
  const read = useRead(agents, {}, { enabled: maySee })
  // the choice begins once it is known what is offered
  const isKnown = read.data !== undefined || read.error !== null || !maySee
  return (
    <Dialog title={`Launch ${objective.displayId}`} onClose={onClose} isSheet>
      <p className={styles['what']}>
        <Text>{objective.title === '' ? 'Nothing written yet' : objective.title}</Text>
      </p>
      {isKnown ? (
        <Form {...props} onClose={onClose} known={read.data?.agents ?? []} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Dialog>
  )
}

/** By its name, with which the ids of all that is in it begin. */
function projectOf({ displayId }: Pick<Objective, 'displayId'>): string {
  return displayId.split(':', 1)[0] ?? ''
}

/** What is chosen is kept until it is launched or given up. */
function draftOf({ id }: Pick<Objective, 'id'>): string {
  return `launch:${id}`
}

interface FormProps extends LaunchSheetProps {
  known: readonly KnownAgent[]
}

function Form({ mission, objective, lastRun, wanted, onClose, onLaunched, known }: FormProps) {
  const offered = known.filter(({ runners }) => runners.length > 0).map(({ key }) => key)
  const draft = draftOf(objective)
  const [choice, choose] = useDraftForm(draft, () =>
    firstChoice(objective, lastRun, wanted, offered),
  )
  const [answer, setAnswer] = useState<Launched>()
  const forecast = useForecast(objective.id, choice)
  const form = useRef<HTMLFormElement>(null)
  // what is known of the agents comes after the dialog is open
  useEffect(() => form.current?.querySelector<HTMLElement>('select, input')?.focus(), [])
  const launch = useAction('launchObjective', {
    draft,
    onDone: (launched) => {
      onLaunched(launched)
      toast(`${objective.displayId} ${launched.reused ? 'was queued so already' : 'is queued'}`)
      if (launched.warnings.length === 0) onClose()
      else setAnswer(launched)
    },
  })
  const isSending = launch.state.name === 'sending'
  const send = () => {
    if (choice.agent !== '' && !isSending) void launch.send(requestOf(objective.id, choice))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  useKeys([{ keys: 'Mod+Enter', does: 'launch it so', run: send }])
  if (answer) return <Warnings of={answer} onClose={onClose} />
  const refused = launch.state.name === 'refused' ? refusalOf(launch.state.error) : undefined
  const refusal = refused ?? forecast?.refusal ?? undefined
  return (
    <form ref={form} onSubmit={submit}>
      <Choices
        projectId={mission.projectId}
        known={known}
        choice={choice}
        ofObjective={objective.assigned_agent}
        settings={forecast?.settings}
        runners={forecast?.candidates?.map(({ runner }) => runner.label) ?? []}
        onChoose={choose}
      />
      {forecast?.candidates && (
        <Candidates
          of={forecast.candidates}
          trusting={forecast.needsTrust ? projectOf(objective) : undefined}
        />
      )}
      {forecast && (
        <WhatRuns
          projectId={mission.projectId}
          settings={forecast.settings}
          displayId={objective.displayId}
          choice={choice}
        />
      )}
      {refusal?.code === 'mission_busy' ? (
        <BusyActions
          message={refusal.message}
          missionId={mission.id}
          objectiveId={objective.id}
          onParallel={send}
          onQueued={onClose}
        />
      ) : (
        <>
          {refusal && choice.agent !== '' && !refused && (
            <Notice tone="caution" actions={refusal.next && <StepLink step={refusal.next} />}>
              <Text>{refusalWords(refusal)}</Text>
            </Notice>
          )}
          <ActionProblem of={launch} />
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="first" type="submit" disabled={isSending || choice.agent === ''}>
          Launch <Kbd>Ctrl ↵</Kbd>
        </Button>
      </DialogActions>
    </form>
  )
}

function refusalOf(error: Error) {
  return error instanceof RefusedError
    ? { code: error.code, message: error.message, next: error.next }
    : undefined
}

/** It is launched, and there is something that one should know. */
function Warnings({ of: { warnings }, onClose }: { of: Launched; onClose: () => void }) {
  return (
    <>
      <p>It is queued. One should know:</p>
      {warnings.map(({ code, message, next }) => (
        <Notice key={code} tone="caution" actions={next && <StepLink step={next} />}>
          <Text>{message}</Text>
        </Notice>
      ))}
      <DialogActions>
        <Button look="first" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  )
}
