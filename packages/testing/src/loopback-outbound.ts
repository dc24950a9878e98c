import type { Outbound } from '@svc/domain/webhooks/outbound'
import { checkHost } from '@svc/outbound/check-host'
import { createPolicy } from '@svc/outbound/policy'
import { send } from '@svc/outbound/send'

/** Calls leave as those of the product do, save that they may reach this machine. */
export function loopbackOutbound(): Outbound {
  const policy = createPolicy({ allowedHosts: '127.0.0.1,localhost' })
  return {
    check: (url) => checkHost(url, policy),
    send: (request) => send({ ...request, policy }),
    now: () => new Date(),
  }
}
