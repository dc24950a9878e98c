import type { HttpApp } from '@svc/http/create-app'
import type { ApiParts } from '../parts.ts'
import { pagePaths } from './paths.ts'
import { bindAccount } from './account.ts'
import { bindInvite } from './invite.ts'
import { bindReset } from './reset.ts'
import { bindAccountForms } from './account-forms.ts'
import { bindEndAccess } from './end-access.ts'
import { bindDeleteWorkspace } from './delete-workspace.ts'
import { bindApproveLogin } from './approve-login.ts'
import { bindSignIn } from './sign-in.ts'
import { bindIdentities } from './identities.ts'
import { bindOpenId } from './openid.ts'
import { bindSetUp } from './set-up.ts'
import { stylesheet } from './stylesheet.ts'

/** What people open in a browser. */
export function bindPages(app: HttpApp, parts: ApiParts): void {
  app.get(pagePaths.stylesheet, () => {
    return new Response(stylesheet, {
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=300',
      },
    })
  })
  bindSetUp(app, parts)
  bindSignIn(app, parts)
  bindOpenId(app, parts)
  bindIdentities(app, parts)
  bindAccount(app, parts)
  bindInvite(app, parts)
  bindReset(app, parts)
  bindAccountForms(app, parts)
  bindEndAccess(app, parts)
  bindDeleteWorkspace(app, parts)
  bindApproveLogin(app, parts)
}
