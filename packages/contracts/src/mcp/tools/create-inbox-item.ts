import { z } from 'zod'
import { InboxItem } from '../../inbox-item.ts'
import { restContracts } from '../../rest.ts'
import { type ToolContract, adds } from '../tool-contract.ts'

export const createInboxItem = {
  name: 'svc_create_inbox_item',
  title: 'Note a task down',
  description:
    'Notes a task down in the private inbox of the account that calls: in no project, assigned to nobody, seen by nobody else. Starts nothing and makes no mission; its person turns it into one later. For work to be done now: svc_create_mission.',
  input: restContracts.createInboxItem.body,
  output: z.strictObject({ item: InboxItem }),
  hints: adds,
  permission: 'inbox_item:create',
} as const satisfies ToolContract
