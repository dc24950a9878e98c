import type { Need } from '@svc/contracts/need'
import type { NextStep } from '@svc/contracts/next-step'
import { Suspense, lazy, useState } from 'react'
import { type ActionOptions, useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { ButtonLink } from '../../shell/link.tsx'
import { StepLink } from '../../shell/step-link.tsx'
import { stepTarget } from '../../shell/step-targets.ts'
import { Button } from '../../ui/button.tsx'
import { loadPart } from '../../ui/load-part.ts'
import { toast } from '../../ui/toast-store.ts'
import { TypedMeanwhile } from '../../ui/typed-meanwhile.tsx'
import { type NeedOf, wordsOfNeed } from '../../words/needs.ts'
import { doneHere, stepIdOf } from './steps-in-row.ts'
import styles from './needs.module.css'

/** The sheet and all that it reads come when it is opened first. */
const LaunchHere = lazy(async () => ({
  default: (await loadPart(() => import('./launch-here.tsx'))).LaunchHere,
}))

interface ActionsProps {
  need: Need
  onDone: () => void
}

/** What the service says helps next, done in the row where that can be; nothing for who may not. */
export function NeedActions({ need, onDone }: ActionsProps) {
  const { rights } = useWorkspace()
  const { next } = need
  const maySendBack = need.kind === 'approval' && rights.mayCall('sendBackObjective')
  if (next === undefined && !maySendBack) return null
  return (
    <div className={styles['actions']}>
      {next && <Step need={need} step={next} onDone={onDone} />}
      {maySendBack && (
        <InRow
          operation="sendBackObjective"
          id={need.objective.id}
          label="Send back"
          done="is a draft again"
          need={need}
          onDone={onDone}
        />
      )}
    </div>
  )
}

function Step({ need, step, onDone }: ActionsProps & { step: NextStep }) {
  const here = doneHere(step)
  if (here) {
    const { label } = stepTarget(step)
    return <InRow {...here} id={stepIdOf(step)} label={label} need={need} onDone={onDone} />
  }
  if (step.operation === 'launchObjective' && 'objective' in need && need.kind !== 'question') {
    return <Launch need={need} step={step} onDone={onDone} />
  }
  const { path } = stepTarget(step)
  if (need.kind === 'review' && path !== undefined) return <ButtonLink to={path}>Review</ButtonLink>
  return <StepLink step={step} />
}

type Simple = NonNullable<ReturnType<typeof doneHere>>['operation'] | 'sendBackObjective'

interface InRowProps extends ActionsProps {
  operation: Simple
  id: string
  label: string
  /** What it is then, after its name. */
  done: string
}

/** One call, without anything to choose. */
function InRow({ operation, id, label, done, need, onDone }: InRowProps) {
  const { about } = wordsOfNeed(need)
  const options: ActionOptions<Simple> = {
    onDone: () => {
      toast(`${about.id ?? about.title} ${done}`)
      onDone()
    },
  }
  const action = useAction(operation, options)
  return (
    <>
      <Button disabled={action.state.name === 'sending'} onClick={() => void action.send({ id })}>
        {label}
      </Button>
      <ActionProblem of={action} />
    </>
  )
}

interface LaunchProps {
  need: Exclude<Extract<Need, { objective: unknown }>, NeedOf<'question'>>
  step: NextStep<'launchObjective'>
  onDone: () => void
}

function Launch({ need, step, onDone }: LaunchProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Launch …</Button>
      {isOpen && (
        <Suspense fallback={<TypedMeanwhile onGiveUp={() => setOpen(false)} />}>
          <LaunchHere
            need={need}
            wanted={step.params}
            onClose={() => setOpen(false)}
            onLaunched={onDone}
          />
        </Suspense>
      )}
    </>
  )
}
