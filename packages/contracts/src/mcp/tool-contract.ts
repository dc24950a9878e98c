import type { z } from 'zod'
import type { Permission } from '../permissions.ts'

/** The four safety hints; each is always sent, because a client takes a missing one for the dangerous value. */
export interface ToolHints {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

export interface ToolContract {
  readonly name: string
  readonly title: string
  /** What it does, what it does not, and what to call next; at most 300 characters. */
  readonly description: string
  /** Strict, and an object without alternatives at its root; what such a schema cannot say is refined. */
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly hints: ToolHints
  readonly permission: Permission
  /** How many levels of the output `tools/list` spells out; 2 when left out. */
  readonly outputLevels?: 1
  /** Bytes of JSON over REST; `limits.jsonBodyBytes` when left out. */
  readonly bodyBytes?: number
}

const none: ToolHints = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  openWorld: false,
}

export const reads: ToolHints = { ...none, readOnly: true, idempotent: true }
export const adds: ToolHints = none
export const sets: ToolHints = { ...none, idempotent: true }
/** Starts something beyond the service: an agent on somebody's machine. */
export const actsOutside: ToolHints = { ...none, openWorld: true }
