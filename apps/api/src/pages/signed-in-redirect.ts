import { knownBrowserCookie, signInCookie } from '../credentials/cookie.ts'
import type { ApiParts } from '../parts.ts'
import { redirectTo } from './page.ts'

/** Somebody has signed in by a password: the browser keeps that, and that it did. */
export function redirectSignedIn(
  { baseUrl }: ApiParts,
  next: string,
  { secret, mark }: { secret: string; mark?: string | undefined },
): Response {
  const response = redirectTo(next, { 'set-cookie': signInCookie(baseUrl()).set(secret) })
  if (mark !== undefined) {
    response.headers.append('set-cookie', knownBrowserCookie(baseUrl()).set(mark))
  }
  return response
}
