import type { ComponentProps } from 'react'
import { useAction } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { useScene, withObjective } from './scene.ts'

interface ResumeProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'disabled'> {
  objectiveId: string
}

/** Goes on with the last run of an objective, at once. */
export function Resume({ objectiveId, ...props }: ResumeProps) {
  const { keep } = useScene()
  const resume = useAction('resumeObjective', {
    onDone: ({ objective }) => keep(withObjective(objective)),
  })
  return (
    <>
      <Button
        {...props}
        disabled={resume.state.name === 'sending'}
        onClick={() => void resume.send({ id: objectiveId })}
      />
      <ActionProblem of={resume} />
    </>
  )
}
