import { RefusedError } from '@svc/client/errors'
import type { RouteOutput } from '@svc/contracts/rest'
import { useEffect, useState } from 'react'
import type { Action } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Problem } from '../../shell/problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { counted } from '../../words/counted.ts'
import styles from './delete.module.css'

interface Confirmation {
  confirm: true
  running: string[]
}

interface Listed {
  resolved: {
    displayId: string
    title: string
    state: string
    running: boolean
    /** How many objectives of it leave a run queue; undefined of a service of before. */
    queued?: number
  }[]
  running: string[]
}

interface DeleteProps {
  title: string
  /** Asks for the list: the same call, not confirmed. */
  list: () => Promise<unknown>
  action: Pick<Action<'deleteMissions' | 'deleteObjectives'>, 'state' | 'again'>
  onConfirm: (confirmation: Confirmation) => void
  onClose: () => void
}

const changedWords =
  'Nothing was deleted: what would be has changed since you looked. This is how it stands now.'

/** Nothing is deleted before a person has seen what it would be: the service says it, and takes that list back confirmed. */
export function DeleteListed({ title, list, action, onConfirm, onClose }: DeleteProps) {
  const [listed, setListed] = useState<Listed>()
  const [problem, setProblem] = useState<Error>()
  const ask = async () => {
    setProblem(undefined)
    try {
      await list()
    } catch (error) {
      const asked = listOf(error)
      if (asked) setListed(asked)
      else setProblem(error instanceof Error ? error : new Error(String(error)))
    }
  }
  useEffect(() => {
    void ask()
    // the list as it is when this is opened
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const { state } = action
  // something has begun to run since it was listed: what is confirmed next is the list of now, for as long as this is open
  const refused = state.name === 'refused' && listOf(state.error) ? state.error : undefined
  const [changed, setChanged] = useState<Error>()
  if (refused && refused !== changed) {
    setChanged(refused)
    setListed(listOf(refused))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {!listed && !problem && <Skeleton rows={1} />}
      {changed && <Notice tone="refusal">{changedWords}</Notice>}
      {listed && (
        <>
          <ul className={styles['list']}>
            {listed.resolved.map(({ displayId, title: name, state: at, running, queued = 0 }) => (
              <li key={displayId}>
                <code>{displayId}</code> <Text>{name}</Text>{' '}
                <span className={styles['state']}>
                  {at}
                  {running && '; its run is called off'}
                  {queued > 0 && `; ${leavingWords(queued)}`}
                </span>
              </li>
            ))}
          </ul>
          <p>
            It can be restored for {limits.restorableDays} days.
            {listed.resolved.some(({ queued = 0 }) => queued > 0) &&
              ' What was queued is not queued again then.'}
          </p>
        </>
      )}
      {problem && <Problem error={problem} onRetry={() => void ask()} />}
      {!refused && <ActionProblem of={action} />}
      <DialogActions>
        <Button onClick={onClose}>Keep</Button>
        <Button
          look="danger"
          disabled={!listed || state.name === 'sending'}
          onClick={() => listed && onConfirm({ confirm: true, running: listed.running })}
        >
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function leavingWords(queued: number): string {
  return counted(queued, 'objective leaves its run queue', 'objectives leave their run queue')
}

/** What is said once it is done. */
export function sayDeleted({ deleted, restorableUntil }: RouteOutput<'deleteMissions'>): void {
  const names = deleted.map(({ displayId }) => displayId).join(', ')
  toast(`${names} can be restored until ${new Date(restorableUntil).toLocaleDateString()}`)
}

/** What the service lists in the details of its refusal. */
function listOf(error: unknown): Listed | undefined {
  if (!(error instanceof RefusedError) || error.code !== 'confirmation_required') return undefined
  // `confirmation_required` carries both; the details of refusals have no types of their own
  const { resolved = [], running = [] } = (error.details ?? {}) as Partial<Listed>
  return { resolved, running }
}
