import { Link } from './link.tsx'
import { type RouteKey, pathTo } from './routes.ts'
import styles from './project-tabs.module.css'

const tabs = [
  { key: 'board', text: 'Board' },
  { key: 'queues', text: 'Queues' },
  { key: 'projectSettings', text: 'Settings' },
] as const satisfies readonly { key: RouteKey; text: string }[]

/** The pages of one project, on each of them. */
export function ProjectTabs({ project }: { project: string }) {
  return (
    <nav className={styles['tabs']} aria-label="Pages of the project">
      {tabs.map(({ key, text }) => (
        <Link key={key} to={pathTo(key, { project })} className={styles['tab']}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
