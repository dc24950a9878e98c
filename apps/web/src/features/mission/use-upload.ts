import { useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { limits } from '../../data/contracts.values.ts'
import { toast } from '../../ui/toast-store.ts'

export interface Upload {
  name: string
  /** Undefined while it is on its way. */
  problem?: string
}

interface Uploads {
  all: readonly Upload[]
  add: (files: Iterable<File>) => void
  dismiss: (name: string) => void
}

const anyType = 'application/octet-stream'

/** Files on their way to an objective, one after the other. */
export function useUpload(objectiveId: string): Uploads {
  const { service } = useWorkspace()
  const [all, setAll] = useState<readonly Upload[]>([])
  const without = (name: string) => setAll((known) => known.filter((one) => one.name !== name))
  const send = async (file: File) => {
    const mediaType = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(file.type) ? file.type : anyType
    const bytes = new Uint8Array(await file.arrayBuffer())
    await service.call('addAttachment', { id: objectiveId, name: file.name, mediaType, bytes })
  }
  const sendAll = async (files: readonly File[]) => {
    for (const file of files) {
      const { name } = file
      setAll((known) => [...known.filter((one) => one.name !== name), { name }])
      try {
        if (file.size > limits.attachmentBytes) {
          throw new Error(`A file may have ${limits.attachmentBytes / 1024 / 1024} MiB.`)
        }
        await send(file)
        without(name)
        toast(`${name} is attached`)
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        setAll((known) => known.map((one) => (one.name === name ? { name, problem } : one)))
      }
    }
  }
  return { all, add: (files) => void sendAll([...files]), dismiss: without }
}
