import type { HttpApp } from '@svc/http/create-app'
import type { ApiParts } from '../parts.ts'
import { pagePaths } from './paths.ts'
import { bindAccount } from './account.ts'
import { bindAccountForms } from './account-forms.ts'
import { bindApproveLogin } from './approve-login.ts'
import { bindSignIn } from './sign-in.ts'
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
  bindSignIn(app, parts)
  bindAccount(app, parts)
  bindAccountForms(app, parts)
  bindApproveLogin(app, parts)
}
