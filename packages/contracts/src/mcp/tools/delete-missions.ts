import { restContracts } from '../../rest.ts'
import { type ToolContract, destroys } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const { body, answer } = restContracts.deleteMissions

export const deleteMissions = {
  name: 'svc_delete_missions',
  title: 'Delete missions',
  description:
    'Deletes missions with objectives and runs, all or none. Call it without confirm first, show the person the list that comes back, and once they approve repeat with confirm: true and its running. What began to run since refuses all, with a new list. A person can restore them for 30 days.',
  input: body,
  output: answer.extend(truncated),
  hints: destroys,
  permission: 'mission:delete',
} as const satisfies ToolContract
