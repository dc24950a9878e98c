import type { Project } from '@svc/contracts/project'
import { StatusList } from '../../parts/statuses/status-list.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'

export function StatusesSection({ project }: { project: Project }) {
  return (
    <Section id="statuses" title="Columns">
      <p className={styles['quiet']}>
        The statuses that its missions may have, in the order of its board. A mission is moved by
        itself to the first one in progress when an agent begins, and to the first one in review
        when it delivers.
      </p>
      <div className={styles['card']}>
        <StatusList projectId={project.id} />
      </div>
    </Section>
  )
}
