import { createHash, randomBytes } from 'node:crypto'
import { ServiceError } from '@svc/contracts/errors'
import { type LinkKind, linkPages } from '@svc/contracts/links'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'

export interface LinkSecret {
  secret: string
  /** What is kept of it: from 256 random bits their digest gives nothing away. */
  hash: Buffer
}

export function newLinkSecret(): LinkSecret {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** What a person opens, at the public origin of the service. */
export function linkOf(
  baseUrl: string | undefined,
  kind: LinkKind,
  { secret }: LinkSecret,
): string {
  if (baseUrl === undefined) throw new Error('whoever asks for a link must say of which origin')
  const link = new URL(linkPages[kind], baseUrl)
  link.searchParams.set('token', secret)
  return link.href
}

/** Used, replaced, revoked, too old, of somebody who lost the right, or never there: one answer. */
export function linkIsGone(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link is no longer good: it was used or replaced, or its time is over. Ask for a new one.',
  )
}

export async function forgetOldLinks(tx: Tx): Promise<void> {
  await sql`delete from invitations where expires_at < app.now()`.execute(tx)
  await sql`delete from reset_links where expires_at < app.now()`.execute(tx)
}
