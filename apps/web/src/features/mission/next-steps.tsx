import type { AdvisedStep } from '@svc/contracts/advised-step'
import type { NextStep } from '@svc/contracts/next-step'
import { StepLink } from '../../shell/step-link.tsx'
import { leadingStep, stepTarget } from '../../shell/step-targets.ts'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { asSentence } from '../../words/as-sentence.ts'
import { withoutCode } from '../../words/refusal.ts'
import styles from './mission.module.css'
import { Resume } from './resume.tsx'
import { useScene } from './scene.ts'
import { isOfObjective, stepHere } from './steps-here.ts'

/** Said by their own parts of this page. */
const saidElsewhere = new Set(['answerQuestion'])
/** This page is where they lead. */
const here = new Set(['getMission', 'listMissionEvents'])

/** What a person may do now, as the service says it; the first is what helps most. */
export function NextSteps() {
  const { nextSteps } = useScene().shown
  const steps = nextSteps.filter(({ next }) => !saidElsewhere.has(next.operation))
  if (steps.length === 0) return null
  return (
    <section className={styles['next']} aria-label="What to do now">
      <ul>
        {steps.map((step) => (
          <li key={`${step.why} ${step.next.operation}`}>
            <Step step={step} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Step({ step }: { step: AdvisedStep }) {
  const { why, because, before, after } = step
  const next = leadingStep(step)
  return (
    <>
      <span>
        <Text>{asSentence(why)}</Text>
        {because !== undefined && (
          <span className={styles['because']}>
            {' '}
            <Text>{asSentence(withoutCode(because))}</Text>
          </span>
        )}
      </span>
      {before && <StepButton step={before} />}
      {/* its sheet lists the agents that the step would have looked up first */}
      {after?.operation === 'launchObjective' && <StepButton step={after} />}
      {leadsOn(next) && <StepButton step={next} />}
    </>
  )
}

/** What is done on this page is done at once, without going anywhere. */
function StepButton({ step }: { step: NextStep }) {
  const { shown, act } = useScene()
  const here = stepHere(step)
  const objective = shown.objectives.find(({ displayId }) => displayId === here?.objective)
  if (here === undefined || (isOfObjective(here) && objective === undefined)) {
    return <StepLink step={step} />
  }
  const { label } = stepTarget(step)
  if (step.operation === 'resumeObjective' && objective !== undefined) {
    return <Resume objectiveId={objective.id}>{label}</Resume>
  }
  return <Button onClick={() => act(here.wanted, objective?.id)}>{label}</Button>
}

function leadsOn({ operation }: NextStep): boolean {
  return !here.has(operation)
}
