import { useStore } from '../data/use-workspace.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import styles from './shell.module.css'
import { shownKeys } from './keys.ts'
import { useKeyboard } from './use-keys.ts'

/** The keys of this page, and the switch that turns those off that are a letter alone. */
export function Help({ onClose }: { onClose: () => void }) {
  const { known, isOn } = useKeyboard()
  const keys = useStore(known).filter(({ does }) => does !== undefined)
  const areOn = useStore(isOn)
  return (
    <Dialog title="Keys of this page" onClose={onClose}>
      <dl className={styles['keys']}>
        {keys.map(({ keys: name, does }) => (
          <div key={name}>
            <dt data-keys={name}>
              <kbd>{shownKeys(name)}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button aria-pressed={!areOn} onClick={() => isOn.set(!areOn)}>
          {areOn ? 'Turn keys off' : 'Turn keys on'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
