import { inTransaction } from '@svc/domain/commit/transaction'
import type { Domain } from '@svc/domain/domain'
import { startSignIn } from '@svc/domain/people/sign-ins'

/** What a browser of this person sends to `baseUrl`, which is on this computer; `workspace` is what it speaks of. */
export async function signedIn(
  domain: Domain,
  { userId, baseUrl, workspace }: { userId: string; baseUrl: string; workspace?: string },
): Promise<Record<string, string>> {
  const { secret } = await inTransaction({ domain }, (tx) =>
    startSignIn(tx, domain.keys, { userId, browser: 'a test', from: undefined, by: 'a test' }),
  )
  return {
    cookie: `svc_session_${new URL(baseUrl).port}=${secret}`,
    origin: baseUrl,
    ...(workspace !== undefined && { 'x-svc-workspace': workspace }),
  }
}
