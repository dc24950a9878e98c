import type { Project } from '@svc/contracts/project'
import { createContext, useContext } from 'react'
import type { Queues } from './reads.ts'
import type { Doing } from './use-doing.ts'
import type { OrderingQueues } from './use-ordering.ts'

/** Where the order of an entry is one's own to say. */
export interface Moves {
  step: (by: 1 | -1) => void
  toEnd: (end: 'first' | 'last') => void
}

/** What is open over the page. */
export type Opened =
  | { what: 'create' }
  | { what: 'rename'; queue: string }
  | { what: 'delete'; queue: string }
  | undefined

/** What all parts of the page share. */
export interface Scene {
  readonly project: Project
  readonly queues: Queues
  readonly ordering: OrderingQueues
  readonly doing: Doing
  open: (what: Opened) => void
}

export const SceneContext = createContext<Scene | undefined>(undefined)

export function useScene(): Scene {
  const scene = useContext(SceneContext)
  if (scene === undefined) throw new Error('A part of the run queues is shown outside of its page.')
  return scene
}
