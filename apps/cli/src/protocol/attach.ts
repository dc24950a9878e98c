import type { AttachAnswer } from '@svc/contracts/context'
import type { ProtocolRequest } from '@svc/contracts/protocol'
import { type Cli, say } from '../cli.ts'
import { describeFailure } from '../output/failure.ts'
import { callProtocol } from './call.ts'
import { orNothing, rememberRunFacts } from './run-file.ts'

type Given = { [K in keyof ProtocolRequest<'attach'>]?: ProtocolRequest<'attach'>[K] | undefined }

/**
 * Opens the session of this run, by command and by tool alike. What is not given comes from the environment of the
 * run; the session key is remembered for the calls that follow.
 */
export async function attachSession(cli: Cli, given: Given): Promise<AttachAnswer> {
  const { env } = cli
  const answer = await callProtocol(cli, 'attach', {
    ...given,
    missionId: given.missionId ?? orNothing(env['SVC_MISSION_ID']),
    objectiveId: given.objectiveId ?? orNothing(env['SVC_OBJECTIVE_ID']),
    executionRequestId: given.executionRequestId ?? orNothing(env['SVC_EXECUTION_REQUEST_ID']),
    generation: given.generation ?? (Number(env['SVC_EXECUTION_GENERATION']) || undefined),
  })
  // only what can wait is ever kept for later, and an attach cannot
  if (!('sessionKey' in answer)) throw new Error('an attach was kept in place of being sent')
  const { sessionKey, session } = answer
  remember(cli, { sessionKey, objectiveId: session.objectiveId })
  return answer
}

/** The session is open, whether or not this machine has room for its key. */
function remember(cli: Cli, facts: Parameters<typeof rememberRunFacts>[1]): void {
  try {
    rememberRunFacts(cli.env, facts)
  } catch (error) {
    say(
      cli,
      `warning: the session is open, but its key could not be remembered (${describeFailure(error).line}): it is sessionKey in the answer, give it to every further call, on the command line with --session-key.`,
    )
  }
}
