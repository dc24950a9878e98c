import { linkPages } from '@svc/contracts/links'

/** Where the pages are. */
export const pagePaths = {
  stylesheet: '/assets/pages.css',
  setUp: '/setup',
  /** The web app, in the first workspace of whoever is signed in. */
  front: '/',
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
  endAccess: '/account/access',
  deleteWorkspace: '/account/workspaces/delete',
  restoreWorkspace: '/account/workspaces/restore',
  changePassword: '/account/password',
  unlinkIdentity: '/account/identities/unlink',
  approveLogin: '/login/approve',
} as const

/**
 * Where somebody wanted to go before signing in: a path of this origin, as an address is written, so that no browser reads
 * it otherwise and every header can hold it.
 */
export function safeNext(given: string | undefined): string {
  const isPath = given !== undefined && /^\/(?!\/)[!-[\]-~]{0,2000}$/.test(given)
  return isPath ? given : pagePaths.front
}

/** Where one leaves for a provider. */
export function openIdPath(name: string): string {
  return `${pagePaths.openId}/${name}`
}

/** Where somebody takes an account of their own, in place of one that has their address. */
export function openIdOwnPath(name: string): string {
  return `${openIdPath(name)}/own`
}

/** What signing in would not go back to is left out: written here it is longer still, and no browser might read the header. */
export function signInPath(next: string): string {
  return `${pagePaths.signIn}?${new URLSearchParams({ next: safeNext(next) }).toString()}`
}
