import { linkPages } from '@svc/contracts/links'

/** Where the pages are. */
export const pagePaths = {
  stylesheet: '/assets/pages.css',
  setUp: '/setup',
  signIn: '/signin',
  signOut: '/signout',
  account: '/account',
  approve: '/oauth/approve',
  openId: '/openid',
  invite: linkPages.invitation,
  reset: linkPages.reset,
  endSession: '/account/sessions/end',
  endSessions: '/account/sessions/end-all',
  createToken: '/account/tokens',
  revokeToken: '/account/tokens/revoke',
  changePassword: '/account/password',
  unlinkIdentity: '/account/identities/unlink',
  approveLogin: '/login/approve',
} as const

/** Where somebody wanted to go before signing in: a path of this origin, and nothing that a browser reads otherwise. */
export function safeNext(given: string | undefined): string {
  if (given === undefined || !/^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(given)) return pagePaths.account
  return given
}

/** Where one leaves for a provider. */
export function openIdPath(name: string): string {
  return `${pagePaths.openId}/${name}`
}

export function signInPath(next: string): string {
  return `${pagePaths.signIn}?${new URLSearchParams({ next }).toString()}`
}
