import type { z } from 'zod'

/** What is wrong with a value, in words for a person; undefined where the schema or zod says it. */
export function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'it is missing'
    return `give ${kinds[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'too_small') {
    const least = issue.exact ? 'exactly' : 'at least'
    return sayBound(issue.origin, { bound: issue.minimum, most: least, isStrict: !issue.inclusive })
  }
  if (issue.code === 'too_big') {
    const most = issue.exact ? 'exactly' : 'at most'
    return sayBound(issue.origin, { bound: issue.maximum, most, isStrict: !issue.inclusive })
  }
  if (issue.code === 'invalid_format') return formats[issue.format]
  if (issue.code === 'invalid_value') return `use one of ${issue.values.map(String).join(', ')}`
  return undefined
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'give a UUID',
  url: 'give an address',
  datetime: 'give a time, as in 2026-01-02T03:04:05Z',
}

const units: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'entry',
  set: 'entry',
}

interface Bound {
  bound: number | bigint
  most: string
  isStrict: boolean
}

function sayBound(origin: string, { bound, most, isStrict }: Bound): string {
  const unit = units[origin]
  if (unit === undefined) {
    if (isStrict) return `give a number ${most === 'at least' ? 'above' : 'below'} ${bound}`
    return `give ${most} ${bound}`
  }
  if (origin === 'string' && most === 'at least' && bound === 1) return 'it is empty'
  const plural = unit === 'entry' ? 'entries' : `${unit}s`
  return `give ${most} ${bound} ${Number(bound) === 1 ? unit : plural}`
}
