import { RefusedError } from '@svc/client/errors'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { useEffect, useState } from 'react'
import { useRead } from '../../data/reads.ts'
import type { Problems } from './launch-request.ts'
import { preview } from './reads.ts'

type Request = RouteRequest<'previewLaunchSettings'>

export interface Preview {
  /** The last one that could be made. */
  shown: RouteOutput<'previewLaunchSettings'> | undefined
  /** What keeps what is written from being shown. */
  error: Error | undefined
}

const waitMs = 600
const agentPattern = /^[a-z0-9][a-z0-9_-]{0,39}$/

export function isAgentKey(text: string): boolean {
  return agentPattern.test(text)
}

/** What a launch would be made with, asked when somebody pauses while they write. */
export function usePreview(request: Request): Preview {
  const wanted = isAgentKey(request.agent) ? JSON.stringify(request) : ''
  const [asked, ask] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => ask(wanted), waitMs)
    return () => clearTimeout(timer)
  }, [wanted])
  // written above
  const known = asked === '' ? request : (JSON.parse(asked) as Request)
  const { data, error } = useRead(preview, known, { enabled: asked !== '' })
  // while the next one is on its way the last one stands
  const [last, keep] = useState<Preview>({ shown: undefined, error: undefined })
  useEffect(() => {
    if (data !== undefined) keep({ shown: data, error: undefined })
    else if (error !== null) keep(({ shown }) => ({ shown, error }))
  }, [data, error])
  if (data !== undefined) return { shown: data, error: undefined }
  return error === null ? last : { ...last, error }
}

/** The fields that a refusal names. */
export function problemsIn(error: Error | undefined): Problems {
  if (!(error instanceof RefusedError) || error.code !== 'validation_failed') return new Map()
  // as it is described with the errors
  const { fields = [] } = (error.details ?? {}) as { fields?: { path: string; message: string }[] }
  return new Map(fields.map(({ path, message }) => [path, message]))
}
