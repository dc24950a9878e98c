import type { Mission } from '@svc/contracts/mission'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../shell/use-keys.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { counted } from '../../words/counted.ts'
import { found } from './changed.ts'
import { FileList } from './file-list.tsx'
import { FileView } from './file-view.tsx'
import styles from './files.module.css'
import { FindFile } from './find-file.tsx'
import { walkKeys } from './keys.ts'
import part from './review.module.css'
import type { Delivery } from './story.ts'
import type { Changing } from './use-changed.ts'
import type { Notes } from './use-notes.ts'
import { usePatchAhead } from './use-patch.ts'
import type { Place } from './use-place.ts'
import { useViewed } from './use-viewed.ts'

/** Of fewer the one that is meant is seen at once. */
const fewest = 12

interface OpenedFilesProps {
  mission: Mission
  delivery: Delivery
  place: Place
  notes: Notes
  changing: Changing
}

/** The list, and next to it the file that is open; on a phone one of the two. */
export function OpenedFiles({ mission, delivery, place, notes, changing }: OpenedFilesProps) {
  const { changed, more } = changing
  const { files, total, report } = changed
  const isWide = useWide()
  const [viewed, toggleViewed] = useViewed(delivery.id)
  const [wanted, setWanted] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => found(changed.groups, wanted), [changed.groups, wanted])
  const count = shown.reduce((sum, group) => sum + group.files.length, 0)
  // an address that names a file leads to it
  const isMoved = useRef(place.file !== undefined)
  const named = files.findIndex(({ path }) => path === place.file)
  const isOnItsWay = place.file !== undefined && named === -1 && more !== undefined
  const at = Math.max(0, named)
  const file = files[at]
  const isFinding = wanted.trim() !== ''
  useEffect(() => {
    // what is looked for may be among those that are not read yet
    if (isOnItsWay || isFinding) more?.()
  })
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
  useEffect(() => {
    // so that the next one is known before somebody goes there
    if (at === files.length - 1) more?.()
  })
  // whoever has opened a file goes on to the next one
  usePatchAhead(place.file === undefined ? undefined : files[at + 1], delivery.executionRequestId)
  useKeys(walkKeys({ next: () => walk(1), previous: () => walk(-1) }))
  return (
    <div className={styles['split']}>
      <div className={styles['list']} ref={list}>
        {total > fewest && (
          <FindFile
            text={wanted}
            onText={setWanted}
            input={input}
            onLeave={() =>
              list.current?.querySelector<HTMLElement>('li button[tabindex="0"]')?.focus()
            }
            onOpen={() => {
              const [first] = shown.flatMap((group) => group.files)
              if (first) open(first.path)
            }}
          />
        )}
        <FileList
          groups={shown}
          openPath={isWide ? file?.path : place.file}
          viewed={viewed}
          notes={notes.all}
          left={isFinding || more === undefined ? 0 : total - files.length}
          onMore={() => more?.()}
          onOpen={open}
          isShown={isWide || place.file === undefined}
        />
        <p className={part['quiet']} role="status">
          {isFinding
            ? `${count} of ${total} found`
            : viewed.size === 0
              ? `${counted(total, 'file')}, none viewed yet`
              : `${viewed.size} of ${total} viewed`}
        </p>
      </div>
      {isOnItsWay ? (
        <Skeleton rows={6} />
      ) : (
        file && (
          <FileView
            key={file.path}
            file={file}
            run={delivery.executionRequestId}
            report={report}
            onStale={changing.refresh}
            notes={notes}
            mission={mission.displayId}
            isViewed={viewed.has(file.path)}
            isMoved={isMoved}
            onView={() => view(file.path)}
            onList={() => open(undefined)}
            onNext={files[at + 1] === undefined ? undefined : () => walk(1)}
          />
        )
      )}
    </div>
  )
}
