import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

const operation = protocolContracts['update-artifact']

export const updateArtifact = {
  name: 'svc_update_artifact',
  title: 'Revise an artifact',
  description:
    'Replaces label, contentText or externalUrl of an artifact in place; give at least one. expectedRevision is the one that you read; refused when somebody revised it since: read it again with svc_load_mission_context, then repeat. Makes no new artifact: svc_add_artifact does.',
  ...operation,
  output: operation.output.extend(truncated),
  hints: sets,
  outputLevels: 1,
} as const satisfies ToolContract
