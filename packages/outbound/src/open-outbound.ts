import { checkHost } from './check-host.ts'
import { type Policy, createPolicy } from './policy.ts'
import { send } from './send.ts'

type Sent = Omit<Parameters<typeof send>[0], 'policy'>

/**
 * Public addresses, and of others only those that the operator named: `<workspace>@<host>` for the webhooks of that
 * workspace, `*@<host>` for those of every one. `dnsServers` are the system's unless given.
 */
export function openOutbound(allowedHosts: readonly string[], dnsServers?: readonly string[]) {
  const policyOf = policiesOf(allowedHosts, dnsServers)
  const anywhere = createPolicy(dnsServers ? { dnsServers } : {})
  return {
    check: (url: string, workspace: string) => checkHost(url, policyOf(workspace)),
    send: ({ workspace, ...request }: Sent & { workspace: string }) =>
      send({ ...request, policy: policyOf(workspace) }),
    read: ({ mostBytes, ...request }: Pick<Sent, 'url' | 'timeoutMs'> & { mostBytes: number }) =>
      send({
        ...request,
        headers: { accept: 'application/json' },
        answerBytes: mostBytes,
        policy: anywhere,
      }),
    now: () => new Date(),
  }
}

/** One for each workspace that is named, with connections of its own, and one for all others. */
function policiesOf(allowedHosts: readonly string[], dnsServers: readonly string[] | undefined) {
  const entries = allowedHosts.map((entry) => {
    const [workspace = '', ...host] = entry.split('@')
    return { workspace, host: host.join('@') }
  })
  const policyFor = (workspace: string) =>
    createPolicy({
      allowedHosts: entries
        .filter((entry) => entry.workspace === '*' || entry.workspace === workspace)
        .map(({ host }) => host)
        .join(','),
      ...(dnsServers && { dnsServers }),
    })
  const everybodys = policyFor('*')
  const policies = new Map<string, Policy>()
  for (const { workspace } of entries) policies.set(workspace, policyFor(workspace))
  return (workspace: string) => policies.get(workspace) ?? everybodys
}
