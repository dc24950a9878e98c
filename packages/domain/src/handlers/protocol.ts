import type { ProtocolInput, ProtocolOperation, ProtocolOutput } from '@svc/contracts/protocol'
import type { Actor } from '../common/actor.ts'
import { addArtifact } from '../artifacts/add.ts'
import { updateArtifact } from '../artifacts/update.ts'
import { ask } from '../sessions/ask.ts'
import { attach } from '../sessions/attach.ts'
import { deliver } from '../deliveries/deliver.ts'
import { loadContext } from '../sessions/load-context.ts'
import { recordWork } from '../deliveries/record-work.ts'
import { heartbeatSession, updateSession } from '../sessions/update.ts'
import { translateFailures } from './translate-failures.ts'
import type { UseCase } from '../use-case.ts'

/** `device` is the fingerprint of the machine that asks, for resource paths. */
export type ProtocolHandlers = {
  [N in ProtocolOperation]: (
    context: UseCase,
    actor: Actor,
    input: ProtocolInput<N> & { device?: string | undefined },
  ) => Promise<ProtocolOutput<N>>
}

export const protocolHandlers: ProtocolHandlers = translateFailures<ProtocolHandlers>({
  attach,
  update: updateSession,
  heartbeat: heartbeatSession,
  ask,
  deliver,
  'record-work': recordWork,
  'add-artifact': (context, actor, input) => {
    const { missionId, objectiveId, sessionKey, type, label, contentText, externalUrl } = input
    const artifact = { type, label, contentText, externalUrl }
    return addArtifact(context, actor, { missionId, objectiveId, sessionKey, artifact })
  },
  'update-artifact': updateArtifact,
  'load-context': loadContext,
})
