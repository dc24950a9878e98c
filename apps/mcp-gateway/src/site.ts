import { loopbackHosts } from '@svc/http/loopback'

/** Where this endpoint is, as clients see it. */
export interface Site {
  /** Without trailing slash; also the issuer of access tokens. */
  baseUrl: string
  /** The canonical address of the MCP resource. */
  resource: string
  resourceMetadata: string
  scopes: readonly string[]
}

export function siteOf(baseUrl: string): Site {
  return {
    baseUrl,
    resource: `${baseUrl}/mcp`,
    resourceMetadata: `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
    scopes: ['mission_lifecycle'],
  }
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
