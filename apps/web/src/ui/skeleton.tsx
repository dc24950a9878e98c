import { Hidden } from './hidden.tsx'
import styles from './skeleton.module.css'

/** Where rows will be; it shows after 150 ms, so that what is quick does not flicker. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div className={styles['skeleton']} role="status">
      <Hidden>Loading</Hidden>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles['bar']} />
      ))}
    </div>
  )
}
