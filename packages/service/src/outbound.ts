import type { Outbound } from '@svc/domain/webhooks/outbound'
import { checkHost } from '@svc/outbound/check-host'
import { createPolicy } from '@svc/outbound/policy'
import { send } from '@svc/outbound/send'

/** Public addresses, and of others only those that the operator named. `dnsServers` are the system's unless given. */
export function openOutbound(
  allowedHosts: readonly string[],
  dnsServers?: readonly string[],
): Outbound {
  const policy = createPolicy({
    allowedHosts: allowedHosts.join(','),
    ...(dnsServers && { dnsServers }),
  })
  const anywhere = createPolicy(dnsServers ? { dnsServers } : {})
  return {
    check: (url) => checkHost(url, policy),
    send: (request) => send({ ...request, policy }),
    read: ({ mostBytes, ...request }) =>
      send({
        ...request,
        headers: { accept: 'application/json' },
        answerBytes: mostBytes,
        policy: anywhere,
      }),
    now: () => new Date(),
  }
}
