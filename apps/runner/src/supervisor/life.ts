import type { Run } from '../run/run.ts'
import type { Checks } from './checks.ts'
import type { Stopping } from './stopping.ts'

/** What the parts of one supervision share. */
export interface Life {
  run: Run
  stopping: Stopping
  spawned: boolean
  /** No process of it is left. */
  ended: boolean
  /** Runs out when an agent stays for too long after its delivery. */
  delivered: NodeJS.Timeout | undefined
  /** From the start of its agent on. */
  checks: Checks | undefined
}
