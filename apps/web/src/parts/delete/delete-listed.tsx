import { RefusedError } from '@svc/client/errors'
import type { RouteOutput } from '@svc/contracts/rest'
import { useEffect, useState } from 'react'
import { limits } from '../../data/contracts.values.ts'
import { Problem } from '../../shell/problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import styles from './delete.module.css'

type Deleted = RouteOutput<'deleteMissions'>
interface Confirmation {
  confirm: true
  running: string[]
}

interface Listed {
  resolved: { displayId: string; title: string; state: string; running: boolean }[]
  running: string[]
}

interface DeleteProps {
  title: string
  call: (confirmation?: Confirmation) => Promise<Deleted>
  onDeleted: () => void
  onClose: () => void
}

/** Nothing is deleted before a person has seen what it would be: the service says it, and takes that list back confirmed. */
export function DeleteListed({ title, call, onDeleted, onClose }: DeleteProps) {
  const [listed, setListed] = useState<Listed>()
  const [problem, setProblem] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const attempt = async (confirmation?: Confirmation) => {
    setSending(confirmation !== undefined)
    setProblem(undefined)
    try {
      const { deleted, restorableUntil } = await call(confirmation)
      const names = deleted.map(({ displayId }) => displayId).join(', ')
      toast(`${names} can be restored until ${new Date(restorableUntil).toLocaleDateString()}`)
      onClose()
      onDeleted()
    } catch (error) {
      const list = listOf(error)
      if (list) setListed(list)
      else setProblem(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setSending(false)
    }
  }
  useEffect(() => {
    void attempt()
    // the list as it is when this is opened
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <Dialog title={title} onClose={onClose}>
      {!listed && !problem && <Skeleton rows={1} />}
      {listed && (
        <>
          <ul className={styles['list']}>
            {listed.resolved.map(({ displayId, title: name, state, running }) => (
              <li key={displayId}>
                <code>{displayId}</code> <Text>{name}</Text>{' '}
                <span className={styles['state']}>
                  {state}
                  {running && '; its run is called off'}
                </span>
              </li>
            ))}
          </ul>
          <p>It can be restored for {limits.restorableDays} days.</p>
        </>
      )}
      {problem && <Problem error={problem} onRetry={() => void attempt()} />}
      <DialogActions>
        <Button onClick={onClose}>Keep</Button>
        <Button
          look="danger"
          disabled={!listed || isSending}
          onClick={() => listed && void attempt({ confirm: true, running: listed.running })}
        >
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** What the service lists in the details of its refusal. */
function listOf(error: unknown): Listed | undefined {
  if (!(error instanceof RefusedError) || error.code !== 'confirmation_required') return undefined
  // `confirmation_required` carries both; the details of refusals have no types of their own
  const { resolved = [], running = [] } = (error.details ?? {}) as Partial<Listed>
  return { resolved, running }
}
