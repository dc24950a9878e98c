import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import type { UseCase } from '../../use-case.ts'
import { judgeEndpoint } from './endpoint.ts'

/** Needs the right to create a webhook, since it says the same as an attempt to. */
export async function checkEndpoint(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'checkEndpoint'>,
): Promise<RouteOutput<'checkEndpoint'>> {
  authorize(actor, 'webhook:create')
  const { url, isListed, refusal } = await judgeEndpoint(domain, actor, input.endpointUrl)
  return { endpoint: { endpointUrl: refusal ? null : url, isListed, refusal: refusal ?? null } }
}
