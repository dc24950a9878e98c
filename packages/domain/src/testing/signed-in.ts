import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { startSignIn } from '../people/sign-ins.ts'

interface Browsing {
  userId: string
  baseUrl: string
  workspace?: string
  browser?: string
  from?: string
}

/** What a browser of this person sends to `baseUrl`, which is on this computer; `workspace` is what it speaks of. */
export async function signedIn(
  domain: Domain,
  { userId, baseUrl, workspace, browser = 'a test', from }: Browsing,
): Promise<Record<string, string>> {
  const { secret } = await inTransaction({ domain }, (tx) =>
    startSignIn(tx, domain.keys, { userId, browser, from, by: 'a test' }),
  )
  return {
    cookie: `svc_session_${new URL(baseUrl).port}=${secret}`,
    origin: baseUrl,
    ...(workspace !== undefined && { 'x-svc-workspace': workspace }),
  }
}
