import type { ListedObjective, Objective } from '@svc/contracts/objective'
import { useAction } from '../../data/actions.ts'
import { isLaunchable, isNotStarted } from '../../data/states.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import { Attachments } from './attachments.tsx'
import { Deliveries } from './deliveries.tsx'
import { Instruction } from './instruction.tsx'
import { ObjectiveChoices } from './objective-choices.tsx'
import styles from './objectives.module.css'
import { Runs } from './run.tsx'
import { runsOf, useScene, withObjective } from './scene.ts'

/** All of one objective. What has started is not edited any more. */
export function ObjectiveDetails({ objective }: { objective: ListedObjective }) {
  const { shown } = useScene()
  const { rights } = useWorkspace()
  const isOpen = isNotStarted(objective.state)
  const mayEdit = isOpen && rights.mayCall('updateObjective')
  return (
    <div className={styles['details']}>
      {objective.approvalRefusal && (
        <Notice tone="caution">
          It was not launched by itself: <Text>{objective.approvalRefusal.message}</Text>
        </Notice>
      )}
      <Instruction objective={objective} mayEdit={mayEdit} />
      <Attachments objective={objective} mayAdd={rights.mayCall('addAttachment')} />
      {mayEdit && <ObjectiveChoices objective={objective} />}
      {isOpen && <Actions objective={objective} />}
      <Deliveries objective={objective} />
      <Runs runs={runsOf(shown, objective.id)} />
    </div>
  )
}

function Actions({ objective }: { objective: Objective }) {
  const { open, keep, shown } = useScene()
  const { rights } = useWorkspace()
  const onDone = (answer: { objective: Objective }) => keep(withObjective(answer.objective))
  const submit = useAction('submitObjective', { onDone })
  const sendBack = useAction('sendBackObjective', { onDone })
  const { id, state } = objective
  const isQueued = shown.queues.some(({ entries }) =>
    entries.some(({ objectiveId }) => objectiveId === id),
  )
  const may = rights.mayCall
  return (
    <>
      <div className={styles['actions']}>
        {may('launchObjective') && (
          <Button
            look="first"
            aria-keyshortcuts="l"
            disabled={objective.instruction.trim() === ''}
            onClick={() => open({ what: 'launch', objective: id })}
          >
            Launch … <Kbd>l</Kbd>
          </Button>
        )}
        {may('queueObjective') && (
          <Button
            data-action="queue"
            disabled={!isLaunchable(objective)}
            onClick={() => open({ what: 'queue', objective: id })}
          >
            {isQueued ? 'In a queue …' : 'Queue …'}
          </Button>
        )}
        {may('submitObjective') && state === 'draft' && (
          <Button disabled={!isLaunchable(objective)} onClick={() => void submit.send({ id })}>
            Submit
          </Button>
        )}
        {may('sendBackObjective') && state !== 'draft' && (
          <Button onClick={() => void sendBack.send({ id })}>Send back to draft</Button>
        )}
        {may('deleteObjectives') && (
          <Button look="bare" onClick={() => open({ what: 'delete', objective: id })}>
            Delete …
          </Button>
        )}
      </div>
      <ActionProblem of={submit} />
      <ActionProblem of={sendBack} />
    </>
  )
}
