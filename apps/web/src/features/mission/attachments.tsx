import type { Attachment } from '@svc/contracts/context'
import type { Objective } from '@svc/contracts/objective'
import { type DragEvent, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isNotStarted } from '../../data/states.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { Problem } from '../../shell/problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { visible } from '../../words/visible.ts'
import styles from './attachments.module.css'
import { attachments } from './reads.ts'
import { UploadRows } from './upload-rows.tsx'
import { useUpload } from './use-upload.ts'

interface AttachmentsProps {
  objective: Objective
  mayAdd: boolean
}

/** Files that people give the agent along. They are downloaded and never shown: whatever is in them stays a file. */
export function Attachments({ objective: { id, state }, mayAdd }: AttachmentsProps) {
  const read = useRead(attachments, { id })
  const upload = useUpload(id)
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const canAdd = mayAdd && isNotStarted(state)
  const known = read.data?.attachments ?? []
  if (known.length === 0 && !canAdd) return null
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    upload.add(event.dataTransfer.files)
  }
  return (
    <section
      className={styles['attachments']}
      aria-label="Attachments"
      data-over={isOver || undefined}
      {...(canAdd && {
        onDragOver: (event: DragEvent) => {
          if (!event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          setOver(true)
        },
        onDragLeave: () => setOver(false),
        onDrop: drop,
      })}
    >
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      <ul>
        {known.map((attachment) => (
          <li key={attachment.id}>
            <File attachment={attachment} mayDelete={canAdd} />
          </li>
        ))}
        <UploadRows of={upload} />
      </ul>
      {canAdd && (
        <>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label="Files to attach"
            onChange={(event) => {
              upload.add(event.target.files ?? [])
              event.target.value = ''
            }}
          />
          <Button look="bare" onClick={() => picker.current?.click()}>
            <Icon name="attach" /> Attach files
          </Button>
          <span className={styles['hint']}>or drop them here, or paste them into the text</span>
        </>
      )}
    </section>
  )
}

function File({
  attachment: { id, name, size },
  mayDelete,
}: {
  attachment: Attachment
  mayDelete: boolean
}) {
  const { service } = useWorkspace()
  const [isRemoving, setRemoving] = useState(false)
  const remove = useAction('deleteAttachment', { onDone: () => setRemoving(false) })
  const [problem, setProblem] = useState<Error>()
  const download = async () => {
    setProblem(undefined)
    const { bytes } = await service.call('getAttachment', { id })
    const file = new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' })
    const url = URL.createObjectURL(file)
    const link = document.createElement('a')
    Object.assign(link, { href: url, download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <>
      <Button
        look="bare"
        onClick={() =>
          void download().catch((error: unknown) =>
            setProblem(error instanceof Error ? error : new Error(String(error))),
          )
        }
      >
        <Icon name="attach" />
        <Hidden>Download </Hidden>
        <Text>{name}</Text>
        <span className={styles['hint']}>{sizeOf(size)}</span>
      </Button>
      {mayDelete && (
        <Button look="bare" onClick={() => setRemoving(true)}>
          <Icon name="close" />
          <Hidden>Remove {name}</Hidden>
        </Button>
      )}
      {problem && <Problem error={problem} />}
      {isRemoving && (
        <Confirm
          title={`Remove ${visible(name)}`}
          action={remove}
          label="Remove it"
          keep="Keep it"
          isDanger
          onConfirm={() => void remove.send({ id })}
          onClose={() => setRemoving(false)}
        >
          <p>The service keeps no copy of it: to have it back, it is attached again.</p>
        </Confirm>
      )}
    </>
  )
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kib = bytes / 1024
  return kib < 1024 ? `${Math.ceil(kib)} KiB` : `${(kib / 1024).toFixed(1)} MiB`
}
