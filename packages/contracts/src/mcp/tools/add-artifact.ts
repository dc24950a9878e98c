import { limits } from '../../limits.ts'
import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

export const addArtifact = {
  name: 'svc_add_artifact',
  title: 'Publish an artifact',
  description:
    'Keeps a text or a link with a mission, such as next_steps or test_results; give contentText or externalUrl. Delivers nothing and ends no session. To change one, svc_update_artifact with its id and revision.',
  input: protocolContracts['add-artifact'].input,
  output: protocolContracts['add-artifact'].output.extend(truncated),
  hints: adds,
  permission: 'artifact:create',
  bodyBytes: limits.largeJsonBodyBytes,
} as const satisfies ToolContract
