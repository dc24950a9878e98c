import type { InboxItem } from '@svc/contracts/inbox-item'
import { displayIdOfMission } from '../entities/missions/views.ts'
import type { InboxItemRecord } from './queries.ts'

export function viewInboxItem(item: InboxItemRecord): InboxItem {
  return {
    id: item.id,
    title: item.title,
    text: item.text,
    mission: viewMission(item),
    turned: item.turned_at && { at: item.turned_at.toISOString(), by: item.turned_by },
    notedBy: item.noted_by,
    revision: item.revision,
    createdAt: item.created_at.toISOString(),
    updatedAt: item.updated_at.toISOString(),
    doneAt: item.done_at?.toISOString() ?? null,
  }
}

function viewMission({ seen_mission_id, sequence, project_slug }: InboxItemRecord) {
  if (seen_mission_id === null || sequence === null || project_slug === null) return null
  return { id: seen_mission_id, displayId: displayIdOfMission({ project_slug, sequence }) }
}
