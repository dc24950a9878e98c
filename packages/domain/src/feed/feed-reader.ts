import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { rightsOf } from './readable.ts'

/** Who reads a feed, with their rights as they are known, and of which mission it is; null: of all. */
export interface FeedReader {
  reader: Actor
  missionId: string | null
}

/** Equal for those who are answered alike, but for what is one person's alone. */
export function nameOf(domain: Domain, { reader, missionId }: FeedReader): string {
  return `${reader.workspaceId} ${missionId} ${rightsOf(domain, reader)}`
}
