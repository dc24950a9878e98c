import { limits } from '../../limits.ts'
import { protocolContracts } from '../../protocol.ts'
import { type ToolContract, sets } from '../tool-contract.ts'
import { truncated } from '../tool-fields.ts'

export const updateArtifact = {
  name: 'svc_update_artifact',
  title: 'Revise an artifact',
  description:
    'Replaces label, contentText or externalUrl of an artifact in place; give at least one. expectedRevision is the one that you read; refused when somebody revised it since: read it again with svc_load_mission_context, then repeat. Makes no new artifact: svc_add_artifact does.',
  input: protocolContracts['update-artifact'].input,
  output: protocolContracts['update-artifact'].output.extend(truncated),
  hints: sets,
  permission: 'artifact:update',
  bodyBytes: limits.largeJsonBodyBytes,
} as const satisfies ToolContract
