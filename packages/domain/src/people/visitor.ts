import type { Actor } from '../common/actor.ts'
import type { Person } from '../entities/people/person.ts'

/** Somebody who shows nothing that says who they are. */
export interface Visitor {
  /** The network that they come from. */
  from: string
  /** The public origin that they are served at. */
  origin: string
}

export type AnyCaller = Actor | Person | Visitor

export function isVisitor(caller: AnyCaller): caller is Visitor {
  return 'origin' in caller
}
