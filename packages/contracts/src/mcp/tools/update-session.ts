import { limits } from '../../limits.ts'
import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'

export const updateSession = {
  name: 'svc_update_session',
  title: 'Report progress',
  description:
    'Tells people how far the work of your session has come, in text, in changeRationales (why files change), or both. Does not deliver. Stop at once when directive is "stop". Next: more work, then svc_deliver_session.',
  input: protocolContracts.update.input,
  output: protocolContracts.update.output,
  hints: adds,
  permission: 'session:update',
  bodyBytes: limits.largeJsonBodyBytes,
} as const satisfies ToolContract
