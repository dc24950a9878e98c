import { restContracts } from '../../rest.ts'
import { type ToolContract, destroys } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const { body, answer } = restContracts.deleteObjectives

export const deleteObjectives = {
  name: 'svc_delete_objectives',
  title: 'Delete objectives',
  description:
    'Deletes objectives, all or none; a queued launch is cancelled, one that runs refuses. Call it without confirm first, show the person the list that comes back, and repeat with confirm: true once they approve. A person can restore them for 30 days.',
  input: body,
  output: answer.extend(truncated),
  hints: destroys,
  permission: 'objective:delete',
} as const satisfies ToolContract
