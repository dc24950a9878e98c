import type { Site } from './site.ts'

/** Both protected-resource documents: one resource, whichever path a client asks. RFC 9728. */
export function protectedResource(site: Site): Response {
  const body = {
    resource: site.resource,
    authorization_servers: [site.baseUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: site.scopes,
    resource_name: 'svc',
  }
  return Response.json(body, { headers: { 'cache-control': 'public, max-age=300' } })
}
