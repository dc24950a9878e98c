import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'

const operation = protocolContracts.update

export const updateSession = {
  name: 'svc_update_session',
  title: 'Report progress',
  description:
    'Tells people how far your work has come, in text or changeRationales (why files change). question asks what only a person can decide; the answer comes in pendingAnswers of later calls. Does not deliver. Stop at once when directive is "stop". Next: more work, then svc_deliver_session.',
  ...operation,
  hints: adds,
} as const satisfies ToolContract
