import type { z } from 'zod'
import type { AgentCall } from '../protocol.ts'
import type { WidgetName } from './widget.ts'

/** The four safety hints; each is always sent, because a client takes a missing one for the dangerous value. */
export interface ToolHints {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

/** How a result is cut that is too long to read. Paths begin with a key of the output, as in `currentObjective.title`. */
export interface ToolBounds<Key extends string = string> {
  /** What is gone without is little: these texts are kept longest. */
  readonly keep?: readonly (Key | `${Key}.${string}`)[]
  /** Lists in the order of time or of work: where they are cut, the last entries are kept. */
  readonly newestLast?: readonly Key[]
  /** The list that has pages: ordered by id, and its cursor is the id of the last entry given. */
  readonly paged?: Key
}

/** `Key` names the keys of the output that `bounds` speaks of. */
export interface ToolContract<Key extends string = never> extends AgentCall {
  readonly name: string
  readonly title: string
  /** What it does, what it does not, and what to call next; at most 300 characters. */
  readonly description: string
  /** Strict, and an object without alternatives at its root; what such a schema cannot say is refined. */
  readonly input: z.ZodObject
  readonly hints: ToolHints
  /** Only a token of full scope may, in addition to the permission; what asks for less says so itself. */
  readonly fullScope?: true
  /** How many levels of the output `tools/list` spells out; 2 when left out. */
  readonly outputLevels?: 1
  readonly bounds?: ToolBounds<Key>
  /** What shows its results to a person, in a client that can. */
  readonly widget?: WidgetName
}

/** A contract of whatever tool. */
export type AnyToolContract = ToolContract<string>

const none: ToolHints = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  openWorld: false,
}

export const reads: ToolHints = { ...none, readOnly: true, idempotent: true }
export const adds: ToolHints = none
export const sets: ToolHints = { ...none, idempotent: true }
/** May take away what was there; the same again finds nothing, and is refused. */
export const destroys: ToolHints = { ...none, destructive: true }
/** Starts something beyond the service: an agent on somebody's machine. */
export const actsOutside: ToolHints = { ...none, openWorld: true }
