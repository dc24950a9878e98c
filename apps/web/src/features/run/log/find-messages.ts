import type { Found } from './search.ts'

/** What the page asks its worker; a new question ends the one before. */
export interface FindAsked {
  workspace: string
  run: string
  term: string
  /** Nothing before it is looked through: that was done already. */
  from: number
  length: number
}

/** What the worker answers: first what is newest. */
export type FindSaid =
  | ({ type: 'found'; asked: FindAsked } & Found)
  | { type: 'done'; asked: FindAsked; isCut: boolean }
  | { type: 'failed'; asked: FindAsked; message: string }

/** More than that nobody goes through one by one. */
export const mostHits = 10_000
