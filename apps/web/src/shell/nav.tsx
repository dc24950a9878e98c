import { useLocation } from 'wouter'
import { useWorkspace } from '../data/use-workspace.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { saidOpen } from '../words/inbox.ts'
import { useInboxCount } from './inbox-count.ts'
import { Link } from './link.tsx'
import { useNeedsCount } from './needs-count.ts'
import { type RouteKey, findRoute, routeRow, routes } from './routes.ts'
import styles from './shell.module.css'

export interface NavRow {
  name: RouteKey
  path: string
  label: string
  key: string
  icon: IconName
}

/** The bar of a phone has room for so many, and for what opens the rest. */
const onPhone = 3

/** The pages that are in the navigation, for those who may see them. */
export function useNav(): NavRow[] {
  const { rights } = useWorkspace()
  // the keys of an object literal are its key type; Object.keys only says string
  return (Object.keys(routes) as RouteKey[]).flatMap((name) => {
    const { nav, path, load, needs } = routeRow(name)
    if (!nav || !load || (needs && !rights.may(needs))) return []
    return [{ ...nav, name, path }]
  })
}

/** How many things wait for a person, next to where they are listed. */
function Waiting() {
  const waiting = useNeedsCount()
  if (waiting === undefined || waiting.count === 0) return null
  return <Count look="count">{waiting.text}</Count>
}

/** How many items of the inbox are open: they wait for nobody else, and for no time. */
function Open() {
  const open = useInboxCount()
  if (open === undefined || open === 0) return null
  return <Count look="noted">{saidOpen(open)}</Count>
}

function Count({ look, children }: { look: 'count' | 'noted'; children: string }) {
  return (
    <>
      {' '}
      <span className={styles[look]}>{children}</span>
    </>
  )
}

/** At the side of a laptop, at the bottom of a phone. */
export function Nav() {
  const [here, go] = useLocation()
  const shown = findRoute(here)
  const within = shown && routeRow(shown.key).within
  const rows = useNav()
  const rest = rows.length > onPhone + 1 ? rows.slice(onPhone) : []
  return (
    <nav className={styles['nav']} aria-label="Pages">
      {rows.map((row) => (
        <Link
          key={row.path}
          to={row.path}
          aria-current={row.name === within || undefined}
          className={rest.includes(row) ? styles['wide'] : undefined}
        >
          <Icon name={row.icon} />
          <span>
            {row.label}
            {row.name === 'needs' && <Waiting />}
            {row.name === 'inbox' && <Open />}
          </span>
        </Link>
      ))}
      {rest.length > 0 && (
        <span className={styles['narrow']}>
          <Menu
            label="More pages"
            trigger={
              <>
                <Icon name="more" /> More
              </>
            }
            items={rest.map(({ path, label }) => ({
              key: path,
              text: label,
              onChoose: () => go(path),
            }))}
          />
        </span>
      )}
    </nav>
  )
}
