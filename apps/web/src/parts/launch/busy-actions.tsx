import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'

interface BusyProps {
  message: string
  missionId: string
  objectiveId: string
  /** Its objectives may run together now. */
  onParallel: () => void
  onQueued: () => void
}

/** Another objective of the mission is under way, and only one may be: both ways on, done from here. */
export function BusyActions({ message, missionId, objectiveId, onParallel, onQueued }: BusyProps) {
  const { rights } = useWorkspace()
  const allow = useAction('updateMission', { onDone: onParallel })
  const queue = useAction('queueObjective', {
    onDone: (answer) => {
      toast(`It is in the queue ${answer.queue.name}`)
      onQueued()
    },
  })
  return (
    <>
      <Notice
        tone="caution"
        actions={
          <>
            {rights.mayCall('updateMission') && (
              <Button
                onClick={() => void allow.send({ id: missionId, allowParallelObjectives: true })}
              >
                Let them run together
              </Button>
            )}
            {rights.mayCall('queueObjective') && (
              <Button onClick={() => void queue.send({ objectiveId })}>Queue it</Button>
            )}
          </>
        }
      >
        <Text>{message}</Text>
      </Notice>
      <ActionProblem of={allow} />
      <ActionProblem of={queue} />
    </>
  )
}
