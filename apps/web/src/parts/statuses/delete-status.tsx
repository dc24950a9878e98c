import type { ProjectStatus } from '@svc/contracts/project'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { visible } from '../../words/visible.ts'
import { useRereadOnMismatch } from '../conflict/use-edited.ts'
import type { Statuses } from './reads.ts'
import styles from './statuses.module.css'
import { useKeepStatuses } from './use-keep-statuses.ts'

interface DeleteProps {
  status: ProjectStatus
  known: Statuses
  onEnd: () => void
}

export function DeleteStatus({ status, known: { project, statuses }, onEnd }: DeleteProps) {
  const others = statuses.filter(({ id }) => id !== status.id)
  const [chosen, choose] = useState(others[0]?.id)
  // what somebody else changes while this is open is looked at before it is done
  const [seen, see] = useState(project.revision)
  const target = others.find(({ id }) => id === chosen) ?? others[0]
  const keep = useKeepStatuses()
  const remove = useAction('deleteProjectStatus', {
    onDone: ({ moved, project: changed }) => {
      keep({ project: changed })
      const missions = moved === 1 ? '1 mission is' : `${moved} missions are`
      toast(`${status.label} is gone; ${missions} in ${target?.label} now`)
      onEnd()
    },
  })
  useRereadOnMismatch(remove)
  if (target === undefined) return null
  const { id } = project
  const send = () => {
    const expectedRevision = remove.state.name === 'refused' ? project.revision : seen
    see(expectedRevision)
    void remove.send({ id, statusId: status.id, moveTo: target.id, expectedRevision })
  }
  return (
    <div className={styles['form']}>
      <Select
        label={`Missions of ${visible(status.label)} go to`}
        autoFocus
        value={target.id}
        choices={others.map((one) => ({ value: one.id, text: visible(one.label) }))}
        onChoose={choose}
      />
      <ActionProblem of={remove} />
      <div className={styles['actions']}>
        <Button onClick={onEnd}>Keep it</Button>
        <Button look="danger" disabled={remove.state.name === 'sending'} onClick={send}>
          Delete the column
        </Button>
      </div>
    </div>
  )
}
