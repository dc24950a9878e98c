import { isServiceError } from '@svc/contracts/errors'
import { passwordLength } from '@svc/contracts/sign-in'
import { type FieldProblem, check, validationFailed } from '@svc/http/validation'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Html } from './page.ts'

interface PasswordField {
  label?: string
  name?: string
  /** What else is to be known before it is sent. */
  also?: string
}

export function newPasswordField({
  label = 'New password',
  name = 'password',
  also = '',
}: PasswordField = {}): Html {
  const { min, max } = passwordLength
  return html`<label
      >${label}
      <input
        type="password"
        name="${name}"
        autocomplete="new-password"
        minlength="${min}"
        maxlength="${max}"
        aria-describedby="password-rule"
        required
      />
    </label>
    <p class="quiet" id="password-rule">
      At least ${min} characters; a phrase of words is fine. ${also}
    </p>`
}

/** In place of that field, where nobody signs in by a password. */
export const signedInOnce: Html = html`<p>
  You are signed in this once: link an account at a provider on the page that follows, to sign in by
  it from then on.
</p>`

/** The fields of a form as its schema has them; what is wrong with them is `validation_failed`. */
export function parseForm<T>(schema: z.ZodType<T>, fields: Record<string, string>): T {
  const problems: FieldProblem[] = []
  const parsed = check(schema, fields, problems)
  if (!parsed) throw validationFailed(problems)
  return parsed
}

const Refused = z.object({ fields: z.array(z.object({ path: z.string(), message: z.string() })) })

/** Why the fields of a form were refused, for the page to show it again; anything else is thrown on. */
export function refusalOf(error: unknown): string {
  if (!isServiceError(error) || error.code !== 'validation_failed') throw error
  const reasons = Refused.safeParse(error.details).data?.fields.map(({ path, message }) => {
    return `${path === 'newPassword' ? 'password' : path}: ${message}`
  })
  const text = reasons?.join('; ') ?? error.message
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
