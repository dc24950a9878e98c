import type { Mission } from '@svc/contracts/mission'
import { useEffect } from 'react'
import { Problem } from '../../shell/problem.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Changed } from './changed.ts'
import { Size } from './file-row.tsx'
import styles from './files.module.css'
import { OpenedFiles } from './opened-files.tsx'
import part from './review.module.css'
import type { Delivery } from './story.ts'
import { useChanged } from './use-changed.ts'
import type { Notes } from './use-notes.ts'
import type { Place } from './use-place.ts'

export interface FilesProps {
  mission: Mission
  delivery: Delivery
  place: Place
  notes: Notes
  /** In which order they stand. */
  onOrder: (paths: readonly string[]) => void
}

/** The changed files in groups, and the lines of the one that is looked at. */
export function Files({ mission, delivery, place, notes, onOrder }: FilesProps) {
  const changing = useChanged(mission.id, delivery)
  const { changed, isLoading, error } = changing
  const { files, total, additions, deletions } = changed
  useEffect(() => onOrder(files.map(({ path }) => path)), [files, onOrder])
  return (
    <section className={styles['files']} data-open={place.file !== undefined || undefined}>
      <h3 className={part['partTitle']}>
        Files {total > 0 && <span className={part['count']}>{total}</span>}{' '}
        {total > 0 && <Size additions={additions} deletions={deletions} />}
      </h3>
      {error && <Problem error={error} />}
      {isLoading && <Skeleton rows={6} />}
      {!isLoading && total === 0 && (
        <p className={part['quiet']}>No changed file is known of this delivery.</p>
      )}
      {!isLoading && <Notices mission={mission.displayId} report={changed.report} />}
      {!isLoading && files.length > 0 && (
        <OpenedFiles key={delivery.id} {...{ mission, delivery, place, notes, changing }} />
      )}
    </section>
  )
}

/** What the lines that are shown here do not say by themselves. */
function Notices({ mission, report }: { mission: string; report: Changed['report'] }) {
  const isElsewhere = report === undefined || report.truncated
  return (
    <>
      {report?.dirty && (
        <Notice tone="caution">
          The run left changes that are in no commit. They are shown here, and are not on its
          branch.
        </Notice>
      )}
      {isElsewhere && (
        <div className={styles['elsewhere']}>
          <p>
            {report === undefined
              ? 'The changed lines are not kept here. On a machine that has the branch, this shows them:'
              : 'The change is too much to be kept as a whole: some files or their lines are not here. This shows all:'}
          </p>
          <CopyCommand command={`svc review ${mission}`} />
        </div>
      )}
    </>
  )
}
