import type { KnownAgent } from '@svc/contracts/known-agent'
import type { EditedParts } from '../../parts/conflict/use-edited-parts.ts'
import type { Problems } from './launch-request.ts'
import type { Setting } from './launch-texts.ts'

/** What every part of the form has. */
export interface LaunchFieldsProps {
  edited: EditedParts<Setting>
  problems: Problems
  known: readonly KnownAgent[]
  /** Somebody has just asked for the form. */
  isAsked: boolean
}
