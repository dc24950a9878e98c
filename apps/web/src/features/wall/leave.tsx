import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import styles from './wall.module.css'

/** Nothing to press stands on a wall: the way out is there for the Tab key, and for who moves the pointer. */
export function Leave({ isShown }: { isShown: boolean }) {
  return (
    <Link
      to={pathTo('needs', {})}
      className={isShown ? `${styles['leave']} ${styles['shown']}` : styles['leave']}
    >
      Leave the wall
    </Link>
  )
}
