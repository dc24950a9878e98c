import { ServiceError } from '@svc/contracts/errors'
import { type LinkKind, linkPages } from '@svc/contracts/links'
import type { Secret } from '../common/secrets.ts'

/** What a person opens, at the public origin of the service. */
export function linkOf(baseUrl: string | undefined, kind: LinkKind, { secret }: Secret): string {
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
