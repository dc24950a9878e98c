import { echoed } from '@svc/contracts/echoed'
import { isStorable } from '@svc/contracts/storable-text'
import { OAuthError } from '@svc/domain/oauth/error'
import { readBytes } from '@svc/http/read-body'
import type { HttpContext } from '@svc/http/request-context'

const mostBytes = 16 * 1024

/** What a request of OAuth says. A parameter without a value is as good as none: RFC 6749, 3.1. */
export interface Parameters {
  /** The first value. */
  one: (name: string) => string | undefined
  all: (name: string) => readonly string[]
  isDoubled: (name: string) => boolean
  /** One that came twice although it may not. */
  doubled: () => string | undefined
}

/** The only one that may come more than once. RFC 8707. */
const repeatable = 'resource'

export function readParameters(text: string): Parameters {
  const given = [...new URLSearchParams(text)].filter(([, value]) => value !== '')
  if (!given.every((pair) => pair.every(isStorable))) {
    throw new OAuthError('invalid_request', 'A parameter holds a character that no text has.')
  }
  const all = (name: string) => given.filter(([key]) => key === name).map(([, value]) => value)
  const isDoubled = (name: string) => all(name).length > 1
  return {
    all,
    isDoubled,
    one: (name) => all(name)[0],
    doubled: () =>
      given.map(([name]) => name).find((name) => name !== repeatable && isDoubled(name)),
  }
}

/** Those of a form, which is the only body that these endpoints take. */
export async function readFormParameters(context: HttpContext): Promise<Parameters> {
  const type = context.req.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new OAuthError('invalid_request', 'Send a form: application/x-www-form-urlencoded.')
  }
  const bytes = await readBytes(context.req.raw, mostBytes)
  const given = readParameters(new TextDecoder().decode(bytes))
  const doubled = given.doubled()
  if (doubled === undefined) return given
  throw new OAuthError('invalid_request', `Send ${echoed(doubled)} once.`)
}
