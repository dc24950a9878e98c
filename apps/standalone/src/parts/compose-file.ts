import { parse } from 'yaml'
import { z } from 'zod'

export type Variables = Readonly<Record<string, string | undefined>>

/** `${NAME}`, `${NAME:-default}` and `${NAME:?why it is needed}`. */
function interpolate(text: string, variables: Variables): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name, kind, rest) => {
    const value = variables[name]
    if (value) return value
    if (kind === '-') return rest
    throw new Error(`${name} is not set: ${rest}`)
  })
}

/** Values are put in after the file is read, so that what they hold is never taken for structure. */
export function readCompose(text: string, variables: Variables): Record<string, unknown> {
  const put = (_key: unknown, value: unknown) =>
    typeof value === 'string' ? interpolate(value, variables) : value
  return z.record(z.string(), z.unknown()).parse(parse(text, put, { merge: true }))
}
