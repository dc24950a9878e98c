import type { NextStep } from '@svc/contracts/next-step'
import { CopyCommand } from '../ui/copy.tsx'
import { ButtonLink } from './link.tsx'
import { stepTarget } from './step-targets.ts'

/** What helps next, as the service names it: a page that does it, or a command where none can. */
export function StepLink({ step }: { step: NextStep }) {
  const { label, path, command } = stepTarget(step)
  if (path !== undefined) return <ButtonLink to={path}>{label}</ButtonLink>
  return (
    <div>
      <span>{label}:</span> <CopyCommand command={command} />
    </div>
  )
}
