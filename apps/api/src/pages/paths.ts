/** Where the pages are. */
export const pagePaths = {
  stylesheet: '/assets/pages.css',
  signIn: '/signin',
  signOut: '/signout',
  account: '/account',
  endSession: '/account/sessions/end',
  endSessions: '/account/sessions/end-all',
  createToken: '/account/tokens',
  revokeToken: '/account/tokens/revoke',
  changePassword: '/account/password',
  approveLogin: '/login/approve',
} as const

/** Where somebody wanted to go before signing in: a path of this origin, and nothing that a browser reads otherwise. */
export function safeNext(given: string | undefined): string {
  if (given === undefined || !/^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(given)) return pagePaths.account
  return given
}

export function signInPath(next: string): string {
  return `${pagePaths.signIn}?${new URLSearchParams({ next }).toString()}`
}
