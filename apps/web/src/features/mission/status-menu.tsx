import { RefusedError } from '@svc/client/errors'
import type { MissionStatus } from '@svc/contracts/mission'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { type Wording, objectiveWords, phaseWords } from '../../words/states.ts'
import { visible } from '../../words/visible.ts'
import { undoneWords } from '../../words/undone.ts'
import { isActive } from '../../data/states.ts'
import styles from './mission.module.css'
import { statuses } from './reads.ts'
import { useScene, withMission } from './scene.ts'

/** Where the mission stands on its board, and the menu that moves it. */
export function StatusMenu() {
  const { shown, keep, foresee } = useScene()
  const { mission } = shown
  const { rights } = useWorkspace()
  const mayMove = rights.mayCall('moveMission')
  const read = useRead(statuses, { id: mission.projectId }, { enabled: mayMove })
  const [closing, setClosing] = useState<MissionStatus>()
  const move = useAction('moveMission', {
    onDone: (answer) => {
      setClosing(undefined)
      keep(withMission(answer.mission))
      const { status } = answer.mission
      const undone = status.type === 'complete' ? undoneWords(shown.objectives) : undefined
      const said = `Moved to ${status.label}`
      if (undone === undefined) announce(said)
      else toast(`${said}. ${undone}`)
    },
  })
  const to = (status: MissionStatus, cancelRunning?: true) => {
    // where it is refused over what runs, a dialog asks for that
    setClosing(status)
    foresee(withMission({ ...mission, status, phase: status.type }), () =>
      move.send({ id: mission.id, statusId: status.id, ...(cancelRunning && { cancelRunning }) }),
    )
  }
  const words: Wording = { ...phaseWords[mission.phase], word: mission.status.label }
  if (!mayMove) return <Badge of={words} />
  const { state } = move
  const isActiveNow =
    state.name === 'refused' &&
    state.error instanceof RefusedError &&
    state.error.code === 'mission_active'
  return (
    <>
      <Menu
        label={`Status ${mission.status.label}: move the mission`}
        action="move"
        trigger={
          <>
            <Badge of={words} /> <Icon name="chevron" />
          </>
        }
        items={(read.data?.statuses ?? []).map((status) => ({
          key: status.id,
          word: status.label,
          isCurrent: status.id === mission.status.id,
          text: <Badge of={{ ...phaseWords[status.type], word: status.label }} />,
          onChoose: () => status.id !== mission.status.id && to(status),
        }))}
      />
      {isActiveNow && closing ? (
        <CloseOverRuns
          status={closing}
          onMove={() => to(closing, true)}
          onClose={() => {
            move.dismiss()
            setClosing(undefined)
          }}
        />
      ) : (
        <ActionProblem of={move} />
      )}
    </>
  )
}

/** A mission is closed over what is queued or runs in it only by who says so. */
function CloseOverRuns({
  status,
  onMove,
  onClose,
}: {
  status: MissionStatus
  onMove: () => void
  onClose: () => void
}) {
  const { objectives } = useScene().shown
  const active = objectives.filter(({ state }) => isActive(state))
  const runs = active.length === 1 ? '1 run' : `${active.length} runs`
  return (
    <Dialog title={`Move to ${visible(status.label)}`} onClose={onClose}>
      <p>
        {active.length === 0
          ? 'Something of this mission was just under way.'
          : `${runs} of this mission ${active.length === 1 ? 'is' : 'are'} under way, and would be called off.`}
      </p>
      <ul className={styles['named']}>
        {active.map(({ id, displayId, title, state }) => (
          <li key={id}>
            <Badge of={objectiveWords[state]} /> <code>{displayId}</code> <Text>{title}</Text>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Leave it where it is</Button>
        <Button look="danger" onClick={onMove}>
          {active.length === 0 ? 'Move it' : `Cancel ${runs} and move`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
