import type { RouteName } from '@svc/contracts/rest'
import { type ReactNode, type Ref, useRef } from 'react'
import type { Action } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Conflict } from './conflict.tsx'
import { type EditedText, useRereadOnMismatch } from './use-edited.ts'

interface EditedFormProps<N extends RouteName> {
  edited: EditedText
  action: Action<N>
  /** Of what is edited, as it is shown. */
  revision: number
  /** Sends what is written on top of this revision; leaves where that is what stands there. */
  send: (expectedRevision: number) => void
  /** What is written is given up. */
  onLeave: () => void
  /** The text as people compare it. */
  describe: (text: string) => string
  save?: ReactNode
  leave?: string
  ref?: Ref<HTMLFormElement>
  children: ReactNode
}

/** The form of a dialog, whose text others may change meanwhile: then both are shown, and whose it is to be is asked. */
export function EditedForm<N extends RouteName>(props: EditedFormProps<N>) {
  const { edited, action, revision, send, onLeave, describe, ref, children } = props
  const { save = 'Save', leave = 'Discard' } = props
  const isInConflict = edited.theirs !== undefined
  const sent = useRef<string>(undefined)
  const sendOn = (expectedRevision: number) => {
    sent.current = edited.text
    send(expectedRevision)
  }
  const sendOnTop = () => sendOn(edited.expectedRevision)
  useRereadOnMismatch(action, {
    revision,
    mayGoOut: () => !isInConflict && edited.text === sent.current,
    send: sendOnTop,
  })
  return (
    <form
      ref={ref}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isInConflict) sendOnTop()
      }}
    >
      {children}
      {edited.theirs ? (
        <Conflict
          theirs={{ ...edited.theirs, text: describe(edited.theirs.text) }}
          mine={describe(edited.text)}
          onKeep={() => sendOn(edited.keepMine())}
          onTake={onLeave}
        />
      ) : (
        <ActionProblem of={action} />
      )}
      <DialogActions>
        <Button onClick={onLeave}>{leave}</Button>
        <Button
          look="first"
          type="submit"
          disabled={action.state.name === 'sending' || isInConflict}
        >
          {save}
        </Button>
      </DialogActions>
    </form>
  )
}
