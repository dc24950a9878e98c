import { ServiceError } from '@svc/contracts/errors'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { isOlder, version } from '@svc/contracts/version'

/**
 * Refuses who says that it is older than that; who does not say is answered. A run that is under way comes to its end with
 * whatever began it: what counts for its lease or its session is not refused.
 */
export function refuseTooOld(
  given: string | undefined,
  { counts }: EndpointContract,
  oldest: string,
): void {
  if (given === undefined || !isOlder(given, oldest) || counts?.among === 'agentCalls') return
  throw new ServiceError(
    'upgrade_required',
    `This is svc ${given}, and the service takes ${oldest} or a newer one.`,
    { oldest, service: version },
    { next: { operation: 'installVersion', params: { version } } },
  )
}
