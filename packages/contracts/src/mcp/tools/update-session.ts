import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'

const operation = protocolContracts.update

export const updateSession = {
  name: 'svc_update_session',
  title: 'Report progress',
  description:
    'Tells people how far the work of your session has come, in text, in changeRationales (why files change), or both. Does not deliver. Stop at once when directive is "stop". Next: more work, then svc_deliver_session.',
  ...operation,
  hints: adds,
} as const satisfies ToolContract
