import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, adds } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const operation = protocolContracts['add-artifact']

export const addArtifact = {
  name: 'svc_add_artifact',
  title: 'Publish an artifact',
  description:
    'Keeps a text or a link with a mission, such as next_steps or test_results; give contentText or externalUrl, and missionId, objectiveId or sessionKey. Delivers nothing and ends no session. To change one, svc_update_artifact with its id and revision.',
  ...operation,
  output: operation.output.extend(truncated),
  hints: adds,
  outputLevels: 1,
} as const satisfies ToolContract
