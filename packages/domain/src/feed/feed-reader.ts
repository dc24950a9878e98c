import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { rightsOf } from './readable.ts'

/** Who reads a feed, with their rights as they are known, and of which mission it is; null: of all. */
export interface FeedReader {
  reader: Actor
  missionId: string | null
  /** The place of one who has to catch up, and reads with those alone who stand there, too: nobody waits for another's past. */
  apart?: string | undefined
}

/** Equal for those who read together: they are answered alike, but for what is one person's alone. */
export function nameOf(domain: Domain, { reader, missionId, apart = '' }: FeedReader): string {
  return `${reader.workspaceId} ${missionId} ${apart} ${rightsOf(domain, reader)}`
}
