import { UnreachableError } from '@svc/client/errors'
import type { RouteName, RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useWorkspace } from './use-workspace.ts'

/**
 * How an action stands. `unanswered`: nobody knows whether the service has done it; `again` sends it under the same key,
 * so that it is done once.
 */
export type ActionState =
  | { name: 'idle' }
  | { name: 'sending' }
  | { name: 'refused'; error: Error }
  | { name: 'unanswered'; error: Error }

export interface Action<N extends RouteName> {
  state: ActionState
  /** Where it is refused or not answered the state says why, and the text stays. */
  send: (request: RouteRequest<N>) => Promise<void>
  /** What was not answered once more, as it was. */
  again: () => Promise<void>
  /** The refusal was read. */
  dismiss: () => void
}

export interface ActionOptions<N extends RouteName> {
  /** The field whose draft is sent: its key outlives the page, and the draft goes with the answer. */
  draft?: string
  /** The service has carried it out, at the first send or a later one. */
  onDone?: (answer: RouteOutput<N>) => void
}

/** A call that changes something. What it changed is told by the feed; nothing is shown as done before. */
export function useAction<N extends RouteName>(
  operation: N,
  { draft, onDone }: ActionOptions<N> = {},
): Action<N> {
  const { service, drafts } = useWorkspace()
  const [state, setState] = useState<ActionState>({ name: 'idle' })
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  const last = useRef<{ request: RouteRequest<N>; key: string } | undefined>(undefined)

  const carryOut = useCallback(
    async (request: RouteRequest<N>, key: string) => {
      last.current = { request, key }
      setState({ name: 'sending' })
      try {
        const answer = await service.call(operation, request, { idempotencyKey: key })
        if (draft !== undefined) drafts.drop(draft)
        setState({ name: 'idle' })
        done.current?.(answer)
      } catch (error) {
        const isOpen = error instanceof UnreachableError && error.mayPass
        const shown = error instanceof Error ? error : new Error(String(error))
        setState(isOpen ? { name: 'unanswered', error: shown } : { name: 'refused', error: shown })
      }
    },
    [service, drafts, operation, draft],
  )
  const send = useCallback(
    (request: RouteRequest<N>) => {
      const key =
        draft === undefined
          ? crypto.randomUUID()
          : drafts.keyFor(draft, JSON.stringify(request)).key
      return carryOut(request, key)
    },
    [carryOut, drafts, draft],
  )
  const again = useCallback(async () => {
    if (last.current) await carryOut(last.current.request, last.current.key)
  }, [carryOut])
  const dismiss = useCallback(() => setState({ name: 'idle' }), [])
  return { state, send, again, dismiss }
}
