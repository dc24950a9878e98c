import { newKey } from '@svc/client/new-key'
import { useEffect, useRef, useState } from 'react'
import { patience } from '../../data/connection.ts'
import { limits } from '../../data/contracts.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { wordsOf } from '../../shell/problem.tsx'
import { toast } from '../../ui/toast-store.ts'

export interface Upload {
  file: File
  /** Under which it is sent, so that it is attached once however often that is. */
  key: string
  /** Undefined while it is on its way. */
  problem?: Error
}

export interface Uploads {
  all: readonly Upload[]
  add: (files: Iterable<File>) => void
  again: (upload: Upload) => void
  dismiss: (upload: Upload) => void
}

const anyType = 'application/octet-stream'

/** Files on their way to an objective, one after the other. One that did not get there stays, to be sent again. */
export function useUpload(objectiveId: string): Uploads {
  const { service } = useWorkspace()
  const [all, setAll] = useState<readonly Upload[]>([])
  const latest = useRef(all)
  const set = (next: readonly Upload[]) => {
    latest.current = next
    setAll(next)
  }
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => void (isShown.current = false)
  }, [])
  const without = ({ key }: Upload) => latest.current.filter((one) => one.key !== key)
  const send = async ({ file, key }: Upload) => {
    const { name, type } = file
    if (isTooLarge(file)) {
      throw new Error(`A file may have ${limits.attachmentBytes / 1024 / 1024} MiB.`)
    }
    const mediaType = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(type) ? type : anyType
    const bytes = new Uint8Array(await file.arrayBuffer())
    const request = { id: objectiveId, name, mediaType, bytes }
    await service.call('addAttachment', request, { idempotencyKey: key, retry: patience })
  }
  const sendAll = async (uploads: readonly Upload[]) => {
    for (const { file, key } of uploads) {
      const upload = { file, key }
      set([...without(upload), upload])
      try {
        await send(upload)
        set(without(upload))
        toast(`${file.name} is attached`)
      } catch (error) {
        const problem = error instanceof Error ? error : new Error(String(error))
        set([...without(upload), { ...upload, problem }])
        // the field that it was pasted into may be closed by now, and its row with that
        if (!isShown.current) {
          toast(`${file.name} is not attached, as far as is known. ${wordsOf(problem)}`)
        }
      }
    }
  }
  /** A file that is picked again after it failed is the same one. */
  const keyOf = (file: File) =>
    latest.current.find((one) => one.problem && isSame(one.file, file))?.key ?? newKey()
  return {
    all,
    add: (files) => void sendAll([...files].map((file) => ({ file, key: keyOf(file) }))),
    again: (upload) => void sendAll([upload]),
    dismiss: (upload) => set(without(upload)),
  }
}

export function isTooLarge({ size }: File): boolean {
  return size > limits.attachmentBytes
}

function isSame(one: File, other: File): boolean {
  return (
    one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
  )
}
