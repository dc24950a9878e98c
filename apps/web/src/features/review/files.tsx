import { RefusedError } from '@svc/client/errors'
import type { Mission } from '@svc/contracts/mission'
import { useEffect, useMemo, useRef } from 'react'
import { usePages, useRead } from '../../data/reads.ts'
import { Problem } from '../../shell/problem.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { CopyCommand } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FileList, Size } from './file-list.tsx'
import { FileView } from './file-view.tsx'
import { walkKeys } from './keys.ts'
import { filesOf } from './patch.ts'
import styles from './files.module.css'
import part from './review.module.css'
import { diffRead, fileChangesRead } from './reads.ts'
import { type Delivery, type FileGroup, counted, groupsOf, sizeOf } from './story.ts'
import type { Notes } from './use-notes.ts'
import type { Place } from './use-place.ts'
import { useViewed } from './use-viewed.ts'

/** So many pages of files are read; that many files are more than anybody looks through. */
const mostPages = 25

interface FilesProps {
  mission: Mission
  delivery: Delivery
  place: Place
  notes: Notes
  onOrder: (paths: readonly string[]) => void
}

/** The changed files in groups, and the lines of the one that is looked at. */
export function Files({ mission, delivery, place, notes, onOrder }: FilesProps) {
  const { changes, diff } = useChanged(mission.id, delivery)
  const patches = useMemo(() => filesOf(diff.data?.diff.patch ?? ''), [diff.data])
  const groups = useMemo(
    () => groupsOf(changes.files, diff.data?.diff, patches),
    [changes.files, diff.data, patches],
  )
  const files = useMemo(() => groups.flatMap((group) => group.files), [groups])
  useEffect(() => onOrder(files.map(({ path }) => path)), [files, onOrder])
  const { additions, deletions } = sizeOf(files)
  const isLoading = changes.isLoading || diff.isLoading
  return (
    <section className={styles['files']} data-open={place.file !== undefined || undefined}>
      <h3 className={part['partTitle']}>
        Files {files.length > 0 && <span className={part['count']}>{files.length}</span>}{' '}
        {files.length > 0 && <Size additions={additions} deletions={deletions} />}
      </h3>
      {changes.error && <Problem error={changes.error} />}
      {diff.error && !isGone(diff.error) && <Problem error={diff.error} />}
      {isLoading && <Skeleton rows={6} />}
      {!isLoading && files.length === 0 && (
        <p className={part['quiet']}>No changed file is known of this delivery.</p>
      )}
      <DiffNotices
        mission={mission.displayId}
        hasPatch={diff.data?.diff.patch !== undefined}
        isDirty={diff.data?.diff.dirty ?? false}
        isCut={diff.data?.diff.truncated ?? false}
        isKnown={!isLoading}
      />
      {!isLoading && files.length > 0 && (
        <Opened key={delivery.id} {...{ mission, delivery, place, notes, groups }} />
      )}
    </section>
  )
}

function isGone(error: Error): boolean {
  return error instanceof RefusedError && error.status === 404
}

/** What is known of the files of a delivery: what its session said of them, and what its run left. */
function useChanged(missionId: string, { objectiveId, executionRequestId: run }: Delivery) {
  const read = usePages(fileChangesRead, { id: missionId, limit: 200 })
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data } = read
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && pages < mostPages) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, pages])
  const files = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap((page) => page.fileChanges)
        .filter((change) => change.objectiveId === objectiveId),
    [data, objectiveId],
  )
  const diff = useRead(diffRead, { id: run ?? '' }, { enabled: run !== null })
  return {
    changes: { files, error: read.error, isLoading: data === undefined && !read.error },
    diff: {
      data: diff.data,
      error: diff.error,
      isLoading: run !== null && diff.data === undefined && !diff.error,
    },
  }
}

interface NoticesProps {
  mission: string
  isKnown: boolean
  hasPatch: boolean
  isDirty: boolean
  isCut: boolean
}

/** What the lines that are shown here do not say by themselves. */
function DiffNotices({ mission, isKnown, hasPatch, isDirty, isCut }: NoticesProps) {
  if (!isKnown) return null
  return (
    <>
      {isDirty && (
        <Notice tone="caution">
          The run left changes that are in no commit. They are shown here, and are not on its
          branch.
        </Notice>
      )}
      {!hasPatch && (
        <div className={styles['elsewhere']}>
          <p>
            The changed lines are not kept here. On a machine that has the branch, this shows them:
          </p>
          <CopyCommand command={`svc review ${mission}`} />
        </div>
      )}
      {hasPatch && isCut && (
        <div className={styles['elsewhere']}>
          <p>
            The change is too long to be kept as a whole: some files have no lines here. This shows
            all:
          </p>
          <CopyCommand command={`svc review ${mission}`} />
        </div>
      )}
    </>
  )
}

interface OpenedProps extends Omit<FilesProps, 'onOrder'> {
  groups: readonly FileGroup[]
}

function Opened({ mission, delivery, place, notes, groups }: OpenedProps) {
  const files = groups.flatMap((group) => group.files)
  const [viewed, toggleViewed] = useViewed(delivery.id)
  // an address that names a file leads to it
  const isMoved = useRef(place.file !== undefined)
  const at = Math.max(
    0,
    files.findIndex(({ path }) => path === place.file),
  )
  const file = files[at]
  const open = (path: string | undefined, replace = false) => {
    isMoved.current = true
    place.go({ objective: place.objective, file: path }, replace)
  }
  const walk = (by: number) => {
    // where none is open yet, the first one is the next
    const to = place.file === undefined && by > 0 ? files[0] : files[at + by]
    if (to) open(to.path, place.file !== undefined)
  }
  const view = (path: string) => {
    const isNew = !viewed.has(path)
    toggleViewed(path)
    const next = files.slice(at + 1).find((one) => !viewed.has(one.path))
    if (isNew && next) open(next.path, true)
  }
  useKeys(walkKeys({ next: () => walk(1), previous: () => walk(-1) }))
  return (
    <div className={styles['split']}>
      <div className={styles['list']}>
        <FileList
          groups={groups}
          openPath={file?.path}
          viewed={viewed}
          notes={notes.all}
          onOpen={open}
        />
        <p className={part['quiet']}>
          {viewed.size === 0
            ? `${counted(files.length, 'file')}, none viewed yet`
            : `${files.filter(({ path }) => viewed.has(path)).length} of ${files.length} viewed`}
        </p>
      </div>
      {file && (
        <FileView
          key={file.path}
          file={file}
          notes={notes}
          command={`svc review ${mission.displayId}`}
          isViewed={viewed.has(file.path)}
          isMoved={isMoved}
          onView={() => view(file.path)}
          onList={() => open(undefined)}
          onNext={files[at + 1] === undefined ? undefined : () => walk(1)}
        />
      )}
    </div>
  )
}
