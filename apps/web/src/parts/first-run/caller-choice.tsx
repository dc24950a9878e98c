import { Button } from '../../ui/button.tsx'
import styles from './caller-choice.module.css'
import type { Caller } from './commands.ts'

/** How `svc` is called on the machine that a command is copied to. */
export interface OnMachine {
  caller: Caller
  onCaller: (caller: Caller) => void
}

export function CallerChoice({ caller, onCaller }: OnMachine) {
  const choices = [
    ['clone', 'In a clone of svc'],
    ['installed', 'Where svc is installed'],
  ] as const
  return (
    <div className={styles['callers']} role="group" aria-label="How svc is called there">
      {choices.map(([key, text]) => (
        <Button
          key={key}
          look={key === caller ? 'second' : 'bare'}
          aria-pressed={key === caller}
          onClick={() => onCaller(key)}
        >
          {text}
        </Button>
      ))}
    </div>
  )
}
