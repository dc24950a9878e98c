import { restContracts } from '../../rest.ts'
import { type ToolContract, destroys } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const { body, answer } = restContracts.deleteObjectives

export const deleteObjectives = {
  name: 'svc_delete_objectives',
  title: 'Delete objectives',
  description:
    'Deletes objectives with their runs, all or none. Call it without confirm first, show the person the list that comes back, and once they approve repeat with confirm: true and its running. What began to run since refuses all, with a new list. A person can restore them for 30 days.',
  input: body,
  output: answer.extend(truncated),
  hints: destroys,
  permission: 'objective:delete',
} as const satisfies ToolContract
