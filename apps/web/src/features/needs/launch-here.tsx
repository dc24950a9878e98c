import type { Need } from '@svc/contracts/need'
import type { NextStep } from '@svc/contracts/next-step'
import { defineRead, useRead } from '../../data/reads.ts'
import { LaunchSheet } from '../../parts/launch/launch-sheet.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const objective = defineRead({
  operation: 'getObjective',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'objective' && entityId === id,
})

interface LaunchHereProps {
  need: Extract<Need, { objective: unknown }>
  wanted: NextStep<'launchObjective'>['params']
  onClose: () => void
  onLaunched: () => void
}

/** The launch sheet of an objective of which the row knows the name alone. */
export function LaunchHere({ need, wanted, onClose, onLaunched }: LaunchHereProps) {
  const read = useRead(objective, { id: need.objective.id })
  if (read.data === undefined) {
    return (
      <Dialog title={`Launch ${need.objective.displayId}`} onClose={onClose} isSheet>
        <Shown of={read}>{() => null}</Shown>
      </Dialog>
    )
  }
  const ran = 'run' in need && need.run ? { agent: need.run.agent } : undefined
  return (
    <LaunchSheet
      mission={{ id: need.mission.id, projectId: need.project.id }}
      objective={read.data.objective}
      lastRun={ran}
      wanted={wanted}
      onClose={onClose}
      onLaunched={onLaunched}
    />
  )
}
