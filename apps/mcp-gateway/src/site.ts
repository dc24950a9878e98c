import { loopbackHosts } from '@svc/http/loopback'

/** Where this endpoint is, as clients see it. */
export interface Site {
  /** Without trailing slash; also the issuer of access tokens. */
  baseUrl: string
  /** The canonical address of the MCP resource. */
  resource: string
  resourceMetadata: string
  scopes: readonly string[]
  /** Values of `Host` that are ours. */
  hosts: ReadonlySet<string>
}

export function siteOf(baseUrl: string): Site {
  const { protocol, port, hostname } = new URL(baseUrl)
  const names = loopbackHosts.includes(hostname) ? loopbackHosts : [hostname]
  const defaultPort = protocol === 'https:' ? '443' : '80'
  const hosts = names.flatMap((name) =>
    port ? [`${name}:${port}`] : [name, `${name}:${defaultPort}`],
  )
  return {
    baseUrl,
    resource: `${baseUrl}/mcp`,
    resourceMetadata: `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
    scopes: ['mission_lifecycle'],
    hosts: new Set(hosts),
  }
}

export function isOwnHost(site: Site, host: string | undefined): boolean {
  return host !== undefined && site.hosts.has(host.toLowerCase())
}

/** None is no browser; ours and those of this computer are let in, `null` and every other are not. */
export function isAllowedOrigin(site: Site, origin: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  if (given.origin !== origin.toLowerCase()) return false
  if (given.origin === new URL(site.baseUrl).origin) return true
  return /^https?:$/.test(given.protocol) && loopbackHosts.includes(given.hostname)
}
