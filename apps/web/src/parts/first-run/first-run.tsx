import { useId, useState } from 'react'
import { browserStorage, keep } from '../../data/storage.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './first-run.module.css'
import { StepBody } from './step-body.tsx'
import type { Step } from './steps.ts'
import { type FirstRun as Known, useFirstRun } from './use-first-run.ts'

/** The way from an empty workspace to its first delivery; nothing once that was reviewed. */
export function FirstRun() {
  const known = useFirstRun()
  return known && <Path of={known} />
}

function Path({ of }: { of: Known }) {
  const { isAside, setAside } = useAside()
  const heading = useId()
  const { steps } = of
  const next = steps.find(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section className={styles['path']} aria-labelledby={heading}>
      <div className={styles['head']}>
        <h2 id={heading}>First steps</h2>
        <span className={styles['count']}>
          {done} of {steps.length} done
        </span>
        <Button look="bare" aria-expanded={!isAside} onClick={() => setAside(!isAside)}>
          {isAside ? 'Show them' : 'Leave them aside'}
        </Button>
      </div>
      {!isAside && (
        <ol className={styles['steps']}>
          {steps.map((step) => (
            <li
              key={step.name}
              className={styles['step']}
              data-done={step.isDone || undefined}
              aria-current={step === next ? 'step' : undefined}
            >
              <StepHead step={step} />
              {step === next && (
                <div className={styles['body']}>
                  <StepBody step={step.name} of={of} />
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function StepHead({ step: { title, isDone, detail } }: { step: Step }) {
  return (
    <p className={styles['title']}>
      <span className={styles['mark']}>{isDone && <Icon name="check" />}</span>
      <span>{title}</span>
      {isDone && <Hidden>, done</Hidden>}
      {detail !== undefined && (
        <span className={styles['detail']}>
          <Text>{detail}</Text>
        </span>
      )}
    </p>
  )
}

/** Kept in this browser for the workspace, and nowhere else: which steps are done is the service's to say. */
function useAside() {
  const { me } = useWorkspace()
  const name = `svc:first-steps-aside:${me.user.id}:${me.workspace.id}`
  const [isAside, set] = useState(() => browserStorage.getItem(name) !== null)
  const setAside = (next: boolean) => {
    keep(browserStorage, name, next ? '1' : undefined)
    set(next)
  }
  return { isAside, setAside }
}
