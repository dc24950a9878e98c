import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const operation = protocolContracts.deliver

export const deliverSession = {
  name: 'svc_deliver_session',
  title: 'Deliver the work',
  description:
    'Hands over the work of your session: completes its objective, moves the mission to review, and ends the session. Deliver too when something is missing, and say what. Sent again unchanged it does nothing more. `next` says what was launched or waits after it.',
  ...operation,
  output: operation.output.extend(truncated),
  hints: sets,
} as const satisfies ToolContract
