import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const operation = protocolContracts['update-artifact']

export const updateArtifact = {
  name: 'svc_update_artifact',
  title: 'Revise an artifact',
  description:
    'Replaces label, contentText or externalUrl of an artifact; give one at least, and missionId, objectiveId or sessionKey. expectedRevision is the one that you read; refused once revised since: read again with svc_load_mission_context, then repeat. Makes no new one: svc_add_artifact does.',
  ...operation,
  output: operation.output.extend(truncated),
  hints: sets,
  outputLevels: 1,
} as const satisfies ToolContract
