import { useWorkspace } from '../data/use-workspace.ts'
import type { IconName } from '../ui/icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from './link.tsx'
import { type RouteKey, routeRow, routes } from './routes.ts'
import styles from './shell.module.css'

export interface NavRow {
  path: string
  label: string
  key: string
  icon: IconName
}

/** The pages that are in the navigation, for those who may see them. */
export function useNav(): NavRow[] {
  const { rights } = useWorkspace()
  // the keys of an object literal are its key type; Object.keys only says string
  return (Object.keys(routes) as RouteKey[]).flatMap((name) => {
    const { nav, path, load, needs } = routeRow(name)
    if (!nav || !load || (needs && !rights.may(needs))) return []
    return [{ ...nav, path }]
  })
}

/** At the side of a laptop, at the bottom of a phone. */
export function Nav() {
  return (
    <nav className={styles['nav']} aria-label="Pages">
      {useNav().map(({ path, label, icon }) => (
        <Link key={path} to={path}>
          <Icon name={icon} />
          {label}
        </Link>
      ))}
    </nav>
  )
}
