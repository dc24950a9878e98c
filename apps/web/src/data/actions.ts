import { RefusedError } from '@svc/client/errors'
import type { RouteName, RouteOutput, RouteRequest } from '@svc/contracts/rest'
import { useCallback, useEffect, useRef, useState } from 'react'
import { patience } from './connection.ts'
import type { SendKey } from './drafts.ts'
import { isUnanswered } from './unanswered.ts'
import { useWorkspace } from './use-workspace.ts'

/**
 * How an action stands. `unanswered`: nobody knows whether the service has done it; `again` sends it under the same key,
 * so that it is done once. `uncertain`: the same, and its key is not good any more; what is shown was read anew, and `again`
 * does it whether it was done before or not. `overtaken`: what was sent before and got no answer has been done, and what was
 * sent now differs from it and has not; sent once more, it is done, too.
 */
export type ActionState =
  | { name: 'idle' }
  | { name: 'sending' }
  | { name: 'refused'; error: Error }
  | { name: 'unanswered'; error: Error }
  | { name: 'uncertain' }
  | { name: 'overtaken' }

export interface Action<N extends RouteName> {
  state: ActionState
  /** Where it is refused or not answered the state says why, and the text stays. The same twice at once is sent once. */
  send: (request: RouteRequest<N>) => Promise<void>
  /** What was not answered once more, with the same content; anew where something else was done since and it is no draft. */
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

/** What makes a thing of its own by each call: another text after one that got no answer may be the second of two. */
const makers: ReadonlySet<RouteName> = new Set<RouteName>([
  'createProject',
  'createProjectStatus',
  'createMission',
  'addObjectives',
  'askForChanges',
  'createArtifact',
  'createInboxItem',
  'createRunQueue',
  'createUserToken',
  'createWebhook',
])

/** How many actions of this page were carried out, or may have been. */
let acted = 0

interface Sent<N extends RouteName> {
  request: RouteRequest<N>
  /** What stood in the field of this tab then. */
  text: string | undefined
  key: SendKey
  /** That try got no answer, so that it may have been carried out. */
  isOfEarlierTry: boolean
  /** How many had acted before it, and with its own tries: where others have since, what it meant may be over. */
  acted: number
}

/** A call that changes something. What it changed is told by the feed; nothing is shown as done before. */
export function useAction<N extends RouteName>(
  operation: N,
  { draft, onDone }: ActionOptions<N> = {},
): Action<N> {
  const { service, drafts, queries } = useWorkspace()
  const [state, setState] = useState<ActionState>({ name: 'idle' })
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  const last = useRef<Sent<N> | undefined>(undefined)
  // the same again, by whichever button, goes out under its key: not once something else was done, which may be its contrary
  const open = useRef<Sent<N> | undefined>(undefined)

  const keyFor = useCallback(
    (request: RouteRequest<N>) => {
      const content = JSON.stringify(request)
      const notBesideEarlier = makers.has(operation)
      if (draft !== undefined) {
        return { ...drafts.keyFor(draft, content, { notBesideEarlier }), acted }
      }
      const known = open.current
      if (known?.acted === acted && JSON.stringify(known.request) === content) {
        return { key: known.key, isOfEarlierTry: true, acted }
      }
      open.current = undefined
      return { key: drafts.newKey(), isOfEarlierTry: false, acted }
    },
    [drafts, draft, operation],
  )
  const forget = useCallback(
    (key: SendKey) => {
      open.current = undefined
      if (draft !== undefined) drafts.forgetKey(draft, key)
    },
    [drafts, draft],
  )
  const carryOut = useCallback(
    async (sent: Sent<N>): Promise<void> => {
      last.current = { ...sent, isOfEarlierTry: true }
      setState({ name: 'sending' })
      const options = { idempotencyKey: sent.key.key, retry: patience }
      try {
        const answer = await drafts.whileSending(sent.key, () =>
          service.call(operation, sent.request, options),
        )
        open.current = undefined
        acted += 1
        if (draft !== undefined) drafts.settle(draft, sent.text ?? '', sent.key)
        setState({ name: 'idle' })
        done.current?.(answer)
      } catch (error) {
        if (isSpent(error)) {
          forget(sent.key)
          // another tab has sent something else under it, which this was not done beside
          if (!sent.isOfEarlierTry) return carryOut({ ...sent, ...keyFor(sent.request) })
          await queries.invalidateQueries()
          return setState({ name: 'overtaken' })
        }
        const isOpen = isUnanswered(error)
        if (isOpen) acted += 1
        const shown = error instanceof Error ? error : new Error(String(error))
        const mayBeDone = isOpen || sent.isOfEarlierTry || isOfOtherSignIn(error)
        if (mayBeDone && !isKnownDone(error)) {
          open.current = { ...sent, isOfEarlierTry: true, acted: sent.acted + (isOpen ? 1 : 0) }
        } else forget(sent.key)
        setState(isOpen ? { name: 'unanswered', error: shown } : { name: 'refused', error: shown })
      }
    },
    [service, drafts, queries, operation, draft, keyFor, forget],
  )
  const begin = useCallback(
    async (sent: Sent<N>) => {
      if (!drafts.isOld(sent.key)) return carryOut(sent)
      last.current = sent
      setState({ name: 'sending' })
      await queries.invalidateQueries()
      setState({ name: 'uncertain' })
    },
    [carryOut, drafts, queries],
  )
  const textOf = useCallback(
    () => (draft === undefined ? undefined : drafts.textHere(draft)),
    [drafts, draft],
  )
  const underWay = useRef<string | undefined>(undefined)
  const send = useCallback(
    async (request: RouteRequest<N>) => {
      const content = JSON.stringify(request)
      // the second click of somebody who clicks twice
      if (underWay.current === content) return
      underWay.current = content
      try {
        await begin({ request, text: textOf(), ...keyFor(request) })
      } finally {
        if (underWay.current === content) underWay.current = undefined
      }
    },
    [begin, keyFor, textOf],
  )
  const again = useCallback(async () => {
    const sent = last.current
    if (sent === undefined) return
    if (state.name !== 'uncertain') {
      return begin(draft === undefined ? { ...sent, ...keyFor(sent.request) } : sent)
    }
    forget(sent.key)
    return carryOut({ ...sent, ...keyFor(sent.request) })
  }, [begin, carryOut, draft, keyFor, forget, state.name])
  const dismiss = useCallback(() => setState({ name: 'idle' }), [])
  return { state, send, again, dismiss }
}

/** The service has done another request under this key. */
function isSpent(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'idempotency_mismatch'
}

/** It was carried out, and what it answered is a secret that is kept no longer. */
function isKnownDone(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'idempotency_expired'
}

/** The sign-in has ended between a try that got no answer and this one: its key says nothing to the next sign-in. */
function isOfOtherSignIn(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'unauthenticated' && error.isAfterSilence
}
