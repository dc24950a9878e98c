import { timingSafeEqual } from 'node:crypto'
import { echoed } from '@svc/contracts/echoed'
import { ServiceError } from '@svc/contracts/errors'
import { type RouteInput, type RouteName, restContracts } from '@svc/contracts/rest'
import type { Domain } from '@svc/domain/domain'
import type { Person } from '@svc/domain/entities/people/person'
import { readBytes } from '@svc/http/read-body'
import { type HttpContext, readPresented } from '@svc/http/request-context'
import { html } from 'hono/html'
import type { z } from 'zod'
import { refuseForeign } from '../credentials/same-origin.ts'
import type { ApiParts } from '../parts.ts'
import type { Html } from './page.ts'

const mostBytes = 64 * 1024
const tokenField = 'form_token'

/** The fields of a form that one of our pages sent, each given once. */
export async function readForm(
  context: HttpContext,
  baseUrl: string,
): Promise<Record<string, string>> {
  refuseForeign(readPresented(context), baseUrl)
  const type = context.req.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new ServiceError('unsupported_media_type', 'Send the form of this page.')
  }
  const text = new TextDecoder().decode(await readBytes(context.req.raw, mostBytes))
  const fields = new URLSearchParams(text)
  const names = [...fields.keys()]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new ServiceError(
      'validation_failed',
      `The form has ${echoed(twice)} twice. Open the page anew.`,
    )
  }
  if ([...fields.values()].some((value) => value.includes('\u0000'))) {
    throw new ServiceError(
      'validation_failed',
      'The form has a character that is none. Type it anew.',
    )
  }
  return Object.fromEntries(fields)
}

/** Binds a form to the browser that it was shown to, and to what it is about. */
export function formToken({ keys }: Domain, { signIn }: Person, about: string): Html {
  const { mac } = keys.mac('forms', `${signIn.id} ${about}`)
  return html`<input type="hidden" name="${tokenField}" value="${mac.toString('base64url')}" />`
}

export function requireFormToken(
  { keys }: Domain,
  { signIn }: Person,
  about: string,
  fields: Record<string, string>,
): void {
  const given = Buffer.from(fields[tokenField] ?? '', 'base64url')
  const isOurs = keys
    .macs('forms', `${signIn.id} ${about}`)
    .some(({ mac }) => mac.length === given.length && timingSafeEqual(mac, given))
  if (isOurs) return
  throw new ServiceError('forbidden', 'This form is an old one. Open the page anew and send it.')
}

/** What a person sent by a form that was shown to them, for this path. */
export async function takeForm(
  { domain, baseUrl }: ApiParts,
  context: HttpContext,
  person: Person,
  about?: (fields: Record<string, string>) => string,
): Promise<Record<string, string>> {
  const fields = await readForm(context, baseUrl())
  requireFormToken(domain, person, about?.(fields) ?? context.req.path, fields)
  return fields
}

/** A form of somebody who is signed in, bound to them and to where it goes. */
export function personForm(
  domain: Domain,
  person: Person,
  form: { action: string; body: Html; about?: string },
): Html {
  return html`<form method="post" action="${form.action}">
    ${formToken(domain, person, form.about ?? form.action)} ${form.body}
  </form>`
}

/** Checks the fields by the contract of the endpoint; a browser that heeds the form sends nothing else. */
export function parseFields<N extends RouteName>(
  name: N,
  part: 'params' | 'body',
  fields: Record<string, unknown>,
): RouteInput<N> {
  // the endpoints that are named here have that part, and it is the whole of their input
  const contract = restContracts[name] as unknown as Record<typeof part, z.ZodType<RouteInput<N>>>
  const parsed = contract[part].safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') ?? 'form'
  throw new ServiceError('validation_failed', `${field}: ${issue?.message ?? 'is wrong'}.`)
}
