import { limits } from '../../limits.ts'
import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

export const deliverSession = {
  name: 'svc_deliver_session',
  title: 'Deliver the work',
  description:
    'Hands over the work of your session: completes its objective, moves the mission to review, and ends the session. Deliver too when something is missing, and say what. Sent again unchanged it does nothing more. `next` says what was launched or waits after it.',
  input: protocolContracts.deliver.input,
  output: protocolContracts.deliver.output.extend(truncated),
  hints: sets,
  permission: 'session:deliver',
  bodyBytes: limits.largeJsonBodyBytes,
} as const satisfies ToolContract
