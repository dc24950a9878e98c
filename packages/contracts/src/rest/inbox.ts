import { z } from 'zod'
import { InboxItem, InboxItemInput, inboxItemChanges } from '../inbox-item.ts'
import { ProjectRef, Revision, Uuid } from '../ids.ts'
import { limits } from '../limits.ts'
import { Mission } from '../mission.ts'
import { Notification } from '../notification.ts'
import { Objective, ObjectiveInput, Title } from '../objective.ts'
import { NextCursor, PageQuery } from '../page.ts'
import { Priority } from '../states.ts'
import type { EndpointContract } from './endpoint.ts'
import { byId } from './parts.ts'

const itemParams = byId(Uuid)
const itemAnswer = z.strictObject({ inboxItem: InboxItem })

/** What is one account's own. */
export const inboxEndpoints = {
  createInboxItem: {
    method: 'POST',
    path: '/api/inbox-items',
    permission: 'inbox_item:create',
    body: InboxItemInput,
    answer: itemAnswer,
    status: 201,
    repeat: 'keyed',
  },
  listInboxItems: {
    method: 'GET',
    path: '/api/inbox-items',
    permission: 'own_inbox:manage',
    /** `turned`: into a mission, whether that is still there or not. */
    query: z.strictObject({
      ...PageQuery,
      state: z.enum(['open', 'turned', 'all']).default('open'),
    }),
    answer: z.strictObject({
      inboxItems: z.array(InboxItem),
      /** How many are open, whichever are listed; counted up to 1,000. */
      openCount: z.int().nonnegative(),
      nextCursor: NextCursor,
    }),
    status: 200,
  },
  getInboxItem: {
    method: 'GET',
    path: '/api/inbox-items/:id',
    permission: 'own_inbox:manage',
    params: itemParams,
    answer: itemAnswer,
    status: 200,
  },
  /**
   * Once: asked again, it answers the mission that there is, unless it is asked for another one. Without a title or objectives
   * the mission has those of the item.
   */
  turnInboxItem: {
    method: 'POST',
    path: '/api/inbox-items/:id/mission',
    permission: 'mission:create',
    params: itemParams,
    body: z.strictObject({
      projectId: ProjectRef,
      priority: Priority.default('normal'),
      title: Title.optional(),
      objectives: z.array(ObjectiveInput).max(50).optional(),
    }),
    answer: z.strictObject({
      inboxItem: InboxItem,
      mission: Mission,
      objectives: z.array(Objective),
      reused: z.boolean(),
    }),
    status: 201,
    reusedStatus: 200,
    repeat: 'keyed',
  },
  updateInboxItem: {
    method: 'PATCH',
    path: '/api/inbox-items/:id',
    permission: 'own_inbox:manage',
    params: itemParams,
    body: z.strictObject({ ...inboxItemChanges, expectedRevision: Revision.optional() }),
    answer: itemAnswer,
    status: 200,
    repeat: 'keyed',
  },
  deleteInboxItem: {
    method: 'DELETE',
    path: '/api/inbox-items/:id',
    permission: 'own_inbox:manage',
    params: itemParams,
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
  listNotifications: {
    method: 'GET',
    path: '/api/notifications',
    permission: 'own_inbox:manage',
    query: z.strictObject({ ...PageQuery, state: z.enum(['unread', 'all']).default('all') }),
    answer: z.strictObject({ notifications: z.array(Notification), nextCursor: NextCursor }),
    status: 200,
  },
  readNotifications: {
    method: 'POST',
    path: '/api/notifications/read',
    permission: 'own_inbox:manage',
    /** All that there are now, when none is named. */
    body: z.strictObject({
      notificationIds: z.array(Uuid).min(1).max(limits.pageItemsMax).optional(),
    }),
    /** How many of them had not been read. */
    answer: z.strictObject({ read: z.int() }),
    status: 200,
    repeat: 'natural',
  },
} as const satisfies Record<string, EndpointContract>
