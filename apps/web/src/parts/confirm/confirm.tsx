import type { RouteName } from '@svc/contracts/rest'
import type { ReactNode } from 'react'
import type { Action } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'

interface ConfirmProps<N extends RouteName> {
  title: string
  /** What comes of it. */
  children: ReactNode
  action: Action<N>
  /** What the button says that does it. */
  label: string
  /** What the one says that does not. */
  keep?: string
  isDanger?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** What cannot be taken back, or stops something, is said before it is done. */
export function Confirm<N extends RouteName>(props: ConfirmProps<N>) {
  const { title, children, action, label, keep = 'Leave it', isDanger = false } = props
  const { onConfirm, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ActionProblem of={action} />
      <DialogActions>
        <Button onClick={onClose}>{keep}</Button>
        <Button
          look={isDanger ? 'danger' : 'first'}
          disabled={action.state.name === 'sending'}
          onClick={onConfirm}
        >
          {label}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
