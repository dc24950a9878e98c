import { useStore } from '../data/use-workspace.ts'
import { Button } from './button.tsx'
import { Hidden } from './hidden.tsx'
import { Icon } from './icon.tsx'
import { Text } from './text.tsx'
import { dropToast, toasts } from './toast-store.ts'
import styles from './toasts.module.css'

/** What was said a moment ago; the live regions say it too, so this is for eyes. */
export function Toasts() {
  const shown = useStore(toasts)
  if (shown.length === 0) return null
  return (
    <ul className={styles['toasts']} aria-label="Messages">
      {shown.map(({ id, text }) => (
        <li key={id} className={styles['toast']}>
          <Text>{text}</Text>
          <Button look="bare" onClick={() => dropToast(id)}>
            <Icon name="close" />
            <Hidden>Close</Hidden>
          </Button>
        </li>
      ))}
    </ul>
  )
}
