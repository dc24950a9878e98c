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
  // an answer that comes later closes nothing that was opened since
  const close = () => open((now) => (now === opened ? undefined : now))
  if (opened.what === 'settings') return <Settings onClose={close} />
  if (opened.what === 'delete-mission') return <DeleteMission onClose={close} />
  if (opened.what === 'artifact') {
    // one that is listed no more stays as it was: the service says what became of it
    const known = shown.artifacts.find(({ id }) => id === opened.artifact?.id) ?? opened.artifact
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
