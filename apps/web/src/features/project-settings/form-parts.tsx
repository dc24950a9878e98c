import type { RouteName } from '@svc/contracts/rest'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Action } from '../../data/actions.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import styles from './settings.module.css'

interface SettingsFormProps<N extends RouteName> {
  label: string
  action: Action<N>
  /** Two texts stand against each other, and somebody has to choose. */
  isOpen: boolean
  /** How often it was to be saved and was not: whoever asked for it is led to what is wrong. */
  tries: number
  onSave: () => void
  onDiscard: () => void
  children: ReactNode
}

/** A form in its place on the page: what is typed is kept until it is saved or discarded. */
export function SettingsForm<N extends RouteName>(props: SettingsFormProps<N>) {
  const { label, action, isOpen, tries, onSave, onDiscard, children } = props
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  const saveByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <form
      ref={form}
      aria-label={label}
      className={styles['form']}
      // the service says what is wrong, in words and at the field
      noValidate
      onKeyDown={saveByKey}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isOpen) onSave()
      }}
    >
      {children}
      <ActionProblem of={action} />
      <div className={styles['ends']}>
        <Button onClick={onDiscard}>Discard</Button>
        <Button
          look="first"
          type="submit"
          disabled={action.state.name === 'sending' || isOpen}
          aria-keyshortcuts="Control+Enter"
        >
          Save <Kbd>Ctrl ↵</Kbd>
        </Button>
      </div>
    </form>
  )
}
