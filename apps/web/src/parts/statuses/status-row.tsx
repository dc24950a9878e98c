import type { ProjectStatus } from '@svc/contracts/project'
import { useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { phaseWords } from '../../words/states.ts'
import { OrderButtons, sortable } from '../order/order-buttons.tsx'
import { DeleteStatus } from './delete-status.tsx'
import type { Statuses } from './reads.ts'
import { RenameStatus, renameDraft } from './rename-status.tsx'
import styles from './statuses.module.css'

interface RowProps {
  status: ProjectStatus
  known: Statuses
  /** Undefined for those who may not. */
  onStep: ((by: 1 | -1) => void) | undefined
}

/** A column, and in its place what is asked for before it is renamed or deleted. */
export function StatusRow({ status, known, onStep }: RowProps) {
  const { drafts, rights } = useWorkspace()
  const [doing, begin] = useState<'rename' | 'delete' | undefined>(() =>
    drafts.read(renameDraft(status.id)) === undefined ? undefined : 'rename',
  )
  const [isAsked, ask] = useState(false)
  const end = () => begin(undefined)
  const { id, label, type } = status
  const phase = phaseWords[type]
  const isPhase = label.toLowerCase() === phase.word
  const mayDelete = rights.mayCall('deleteProjectStatus') && known.statuses.length > 1
  return (
    <li className={sortable} data-sorted={id}>
      <div className={styles['row']}>
        <span className={styles['what']}>
          <Badge of={{ ...phase, word: label }} />
          {!isPhase && <span className={styles['quiet']}>{phase.word}</span>}
        </span>
        {onStep && <OrderButtons onStep={onStep} title={label} />}
        {rights.mayCall('renameProjectStatus') && (
          <Button
            look="bare"
            onClick={() => {
              ask(true)
              begin('rename')
            }}
          >
            <Icon name="edit" />
            <Hidden>
              Rename <Text>{label}</Text>
            </Hidden>
          </Button>
        )}
        {mayDelete && (
          <Button look="bare" onClick={() => begin('delete')}>
            <Icon name="close" />
            <Hidden>
              Delete <Text>{label}</Text>
            </Hidden>
          </Button>
        )}
      </div>
      {doing === 'rename' && rights.mayCall('renameProjectStatus') && (
        <RenameStatus status={status} project={known.project} isAsked={isAsked} onEnd={end} />
      )}
      {doing === 'delete' && <DeleteStatus status={status} known={known} onEnd={end} />}
    </li>
  )
}
