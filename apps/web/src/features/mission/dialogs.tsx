import { LaunchSheet } from '../../parts/launch/launch-sheet.tsx'
import { Gone } from '../../ui/dialog.tsx'
import { ArtifactForm } from './artifact-form.tsx'
import { CancelRun } from './cancel-run.tsx'
import { DeleteMission, DeleteObjective } from './delete.tsx'
import { QueueObjective } from './queue-objective.tsx'
import { type Opened, type Scene, runsOf, withObjective } from './scene.ts'
import { Settings } from './settings.tsx'

interface DialogsProps {
  opened: NonNullable<Opened>
  scene: Scene
}

/** What one of the actions of the page opens over it. */
export function Dialogs({ opened, scene: { shown, keep, open } }: DialogsProps) {
  const close = () => open(undefined)
  if (opened.what === 'settings') return <Settings onClose={close} />
  if (opened.what === 'delete-mission') return <DeleteMission onClose={close} />
  if (opened.what === 'artifact') {
    const known = shown.artifacts.find(({ id }) => id === opened.artifact)
    // somebody else has just deleted it
    if (known === undefined && opened.artifact !== undefined) return <Gone onClose={close} />
    return <ArtifactForm known={known} onClose={close} />
  }
  const objective = shown.objectives.find(({ id }) => id === opened.objective)
  // somebody else has just deleted it
  if (objective === undefined) return <Gone onClose={close} />
  if (opened.what === 'cancel') return <CancelRun objective={objective} onClose={close} />
  if (opened.what === 'delete') return <DeleteObjective objective={objective} onClose={close} />
  if (opened.what === 'queue') return <QueueObjective objective={objective} onClose={close} />
  return (
    <LaunchSheet
      mission={shown.mission}
      objective={objective}
      lastRun={runsOf(shown, objective.id)[0] ?? shown.executionRequests[0]}
      wanted={opened}
      onClose={close}
      onLaunched={({ objective: launched }) => keep(withObjective(launched))}
    />
  )
}
