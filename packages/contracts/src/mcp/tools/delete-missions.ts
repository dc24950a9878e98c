import { restContracts } from '../../rest.ts'
import { type ToolContract, destroys } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const { body, answer } = restContracts.deleteMissions

export const deleteMissions = {
  name: 'svc_delete_missions',
  title: 'Delete missions',
  description:
    'Deletes missions with their objectives, all or none; what is queued in them is cancelled, what runs refuses. Call it without confirm first, show the person the list that comes back, and repeat with confirm: true once they approve. A person can restore them for 30 days.',
  input: body,
  output: answer.extend(truncated),
  hints: destroys,
  permission: 'mission:delete',
} as const satisfies ToolContract
