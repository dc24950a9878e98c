import { refreshOf } from '@svc/testing/led-to'
import { z } from 'zod'
import type { EntryPointTemplate, Visit } from './entry-point-templates.ts'
import type { Answer } from './send.ts'

const Refused = z.looseObject({
  error: z.string().regex(/^[a-z_]+$/),
  error_description: z.string(),
})

/** What breaks out of where it stands, unless a page escapes it. */
const breakingOut = /<svc-fuzz|["'] onsvc=|(?:href|action)="\s*\w*script:/

/** What is wrong with the answer, if anything. */
export function judgeEntryPoint(
  { entryPoint, method }: EntryPointTemplate,
  visit: Pick<Visit, 'baseUrl' | 'inputs'>,
  answer: Answer,
): string | undefined {
  const { status, type, text, headers } = answer
  if (status >= 500) return `answers ${status}`
  if (headers['set-cookie']?.some((cookie) => /^a=|[\r\n]/.test(cookie))) return 'sets a cookie'
  const location = headers.location ?? refreshOf(text)
  if (location !== undefined && !mayLeadTo(location, visit)) return `leads to ${location}`
  if (type.startsWith('text/html')) return judgePage(answer)
  // no surface has seen it, or it is another's
  if (status === 431 || (method !== undefined && method !== entryPoint.method)) return undefined
  if (status >= 300 && status < 400) return location === undefined ? 'leads nowhere' : undefined
  if (entryPoint.speaks === 'HTML') return `answers ${status} with no page: ${text.slice(0, 200)}`
  if (status >= 400 && !Refused.safeParse(parse(text)).success)
    return `refuses with ${status} in another shape: ${text.slice(0, 200)}`
  return undefined
}

function judgePage({ text, headers }: Answer): string | undefined {
  const found = breakingOut.exec(text)
  if (found)
    return `says as it came: ${text.slice(Math.max(0, found.index - 80), found.index + 80)}`
  const policy = String(headers['content-security-policy'])
  const isStrict =
    policy.startsWith("default-src 'none'; style-src 'self';") &&
    policy.includes("frame-ancestors 'none'") &&
    !policy.includes('script-src') &&
    !policy.includes('evil.example')
  if (!isStrict) return `is a page under the policy ${policy}`
  return headers['cache-control'] === 'no-store' ? undefined : 'is a page that may be kept'
}

/** Whether an address, as a browser reads it, is a path of ours, or the one that the application has registered. */
function mayLeadTo(
  location: string,
  { baseUrl, inputs }: Pick<Visit, 'baseUrl' | 'inputs'>,
): boolean {
  const read = URL.parse(location, baseUrl)
  if (read?.origin === new URL(baseUrl).origin) return true
  const registered = new URL(inputs.redirectUri)
  return (
    read?.protocol === 'http:' &&
    read.hostname === registered.hostname &&
    read.username === '' &&
    read.pathname === registered.pathname &&
    read.hash === ''
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
