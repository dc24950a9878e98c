import { useWorkspace } from '../data/use-workspace.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Text } from '../ui/text.tsx'
import { Link } from './link.tsx'
import { LiveMark } from './live-mark.tsx'
import styles from './shell.module.css'

export interface BarProps {
  onFind: () => void
  onHelp: () => void
  /** Undefined for who may note nothing down. */
  onCapture: (() => void) | undefined
  onNotify: () => void
  onSignOut: () => void
}

/** Where one is, whether it is live, and what is everywhere: another workspace, find, oneself. */
export function Bar({ onFind, onHelp, onCapture, onNotify, onSignOut }: BarProps) {
  const { me } = useWorkspace()
  return (
    <header className={styles['bar']}>
      <Link to="/" className={styles['brand']} aria-label="svc, to the first page">
        <span className={styles['wide']}>svc</span>
      </Link>
      <Menu
        label={`Workspace ${me.workspace.name}`}
        trigger={
          <>
            <span className={styles['name']}>
              <Text>{me.workspace.name}</Text>
            </span>
            <Icon name="chevron" />
          </>
        }
        items={[
          ...me.workspaces.map(({ slug, name }) => ({
            key: slug,
            text: <Text>{name}</Text>,
            href: `/w/${slug}`,
          })),
          { key: '', text: 'Your account', href: '/account' },
        ]}
      />
      <span className={styles['space']} />
      <Button look="bare" onClick={onFind} aria-label="Find a mission">
        <Icon name="search" /> <span className={styles['wide']}>Find</span>
      </Button>
      <LiveMark />
      <Menu
        label={`You, ${me.user.name}`}
        trigger={
          <>
            <span className={`${styles['name']} ${styles['wide']}`}>
              <Text>{me.user.name}</Text>
            </span>
            <Icon name="more" />
          </>
        }
        items={[
          ...(onCapture
            ? [{ key: 'capture', text: 'Note something down', onChoose: onCapture }]
            : []),
          { key: 'account', text: 'Your account', href: '/account' },
          { key: 'keys', text: 'Keys', onChoose: onHelp },
          { key: 'notifications', text: 'Notifications', onChoose: onNotify },
          { key: 'sign-out', text: 'Sign out', onChoose: onSignOut },
        ]}
      />
    </header>
  )
}
