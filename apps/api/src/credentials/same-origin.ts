import { ServiceError } from '@svc/contracts/errors'
import type { Presented } from '@svc/http/request-context'

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends its cookie with what any site makes it send. What changes something is taken from our own pages
 * alone: both headers are the browser's word, and where it says nothing of either, it is no browser of today.
 */
export function refuseForeign({ method, origin, fetchSite }: Presented, baseUrl: string): void {
  if (safe.has(method)) return
  const isOwn = origin !== undefined && origin === new URL(baseUrl).origin
  if (isOwn && (fetchSite === undefined || fetchSite === 'same-origin')) return
  throw new ServiceError(
    'forbidden',
    `This was not sent from a page of ${baseUrl}. Open the page there and send it again.`,
  )
}
