import { Button } from '../../ui/button.tsx'
import { type Caller, chooseCaller, useCaller } from '../../ui/svc-caller.ts'
import styles from './caller-choice.module.css'

/** How `svc` is called on the machine that a command is copied to; the commands of all pages are written so then. */
export function CallerChoice({ likely }: { likely?: Caller | undefined }) {
  const caller = useCaller(likely)
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
          onClick={() => chooseCaller(key)}
        >
          {text}
        </Button>
      ))}
    </div>
  )
}
