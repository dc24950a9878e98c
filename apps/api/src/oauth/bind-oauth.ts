import { createBuckets } from '@svc/http/buckets'
import { allowOrigin, preflight } from '@svc/http/cors'
import type { HttpApp } from '@svc/http/create-app'
import { page } from '../pages/answer-page.ts'
import { bindApprove } from '../pages/approve.ts'
import type { ApiParts } from '../parts.ts'
import { answerOAuth } from './answer.ts'
import { authorize } from './authorize.ts'
import { serverMetadata } from './metadata.ts'
import type { OAuthOptions, OAuthParts } from './parts.ts'
import { oauthPaths } from './paths.ts'
import { register } from './register.ts'
import { revoke } from './revoke.ts'
import { exchange } from './token.ts'

export type { OAuthOptions } from './parts.ts'

/** How a client that nobody knew gets a token for the MCP endpoint: the authorization server of RFC 8414. */
export function bindOAuth(app: HttpApp, given: ApiParts & OAuthOptions): void {
  const parts: OAuthParts = {
    ...given,
    fetches: createBuckets(),
  }
  app.get(oauthPaths.metadata, () => allowOrigin(serverMetadata(parts), '*'))
  allowPreflight(app, oauthPaths.metadata, ['GET', 'HEAD'])
  app.get(
    oauthPaths.authorize,
    page(parts, (context) => authorize(context, parts)),
  )
  bindApprove(app, parts)
  for (const [name, endpoint] of Object.entries({ register, token: exchange, revoke })) {
    // the names are those of the paths
    const path = oauthPaths[name as 'register' | 'token' | 'revoke']
    app.post(path, (context) => answerOAuth(context, parts, endpoint))
    allowPreflight(app, path, ['POST'])
  }
}

function allowPreflight(app: HttpApp, path: string, methods: readonly string[]): void {
  app.options(path, (context) => allowOrigin(preflight(context.req.raw, methods), '*'))
}
