import { echoed } from '../echoed.ts'
import type { z } from 'zod'
import { printedByChecks } from '../check.ts'
import { ServiceError, isPassingCode } from '../errors.ts'
import { fieldsAt } from './fields-at.ts'
import { toolStep } from './next-step.ts'
import type { AnyToolContract } from './tool-contract.ts'

/** The result of `tools/call`, in every revision of the protocol. */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  _meta?: { 'svc/error': ToolErrorMeta }
}

export interface ToolErrorMeta {
  code: string
  /** Whether the same call may succeed later. */
  retryable: boolean
  retryAfterSeconds?: number
}

/** Names a call for good, in `_meta`: repeated under the same key it is carried out once. */
const idempotencyKeyMeta = 'svc/idempotency-key'

export function idempotencyKeyOf({
  _meta,
}: {
  _meta?: Record<string, unknown> | undefined
}): string | undefined {
  const key = _meta?.[idempotencyKeyMeta]
  if (key === undefined || typeof key === 'string') return key
  throw new ServiceError('validation_failed', `Give _meta["${idempotencyKeyMeta}"] as a text.`)
}

export function toolResult(output: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output }
}

/** `<code>: <what> <what to do next>`; never with structured content, which a client would check and reject. */
export function toolError({ code, message, details, next }: ServiceError): ToolResult {
  const seconds = Number(
    details?.['retryAfterSeconds'] ?? (code === 'unavailable' ? 1 : Number.NaN),
  )
  const said = [`${code}: ${message}`, next && toolStep(next)].filter(Boolean).join(' ')
  const printed = code === 'check_failed' ? printedByChecks(details) : undefined
  return failedResult(printed === undefined ? said : `${said}\n${printed}`, {
    code,
    retryable: isPassingCode(code),
    ...(seconds > 0 && { retryAfterSeconds: Math.ceil(seconds) }),
  })
}

export function failedResult(text: string, meta: ToolErrorMeta): ToolResult {
  return { isError: true, content: [{ type: 'text', text }], _meta: { 'svc/error': meta } }
}

const mostProblems = 10

type Called = Pick<AnyToolContract, 'name' | 'input'>

/** Every problem of the arguments in one sentence, so that the next call can be right. */
export function invalidArguments(tool: Called, { issues }: z.core.$ZodError): ServiceError {
  const problems = issues.flatMap((issue) => problemsOf(issue, tool.input))
  const listed = problems.slice(0, mostProblems).join('; ').slice(0, 2000)
  const more = problems.length > mostProblems ? ` (and ${problems.length - mostProblems} more)` : ''
  return new ServiceError(
    'validation_failed',
    `${listed}${more}. Correct the arguments of ${tool.name} and call it again.`,
  )
}

function problemsOf(issue: z.core.$ZodIssue, input: z.ZodObject): string[] {
  const path = issue.path.map(String).join('.')
  const fields = fieldsAt(input, issue.path).join(', ')
  if (issue.code === 'unrecognized_keys') {
    const known = fields && path ? `; known are ${fields}` : ''
    return issue.keys.map(
      (key) => `${echoed(path ? `${path}.${key}` : key)}: this argument is not known here${known}`,
    )
  }
  const isObject = issue.code === 'invalid_type' && issue.expected === 'object'
  const what = isObject && fields ? `give an object of ${fields}` : issue.message
  return [path ? `${echoed(path)}: ${what}` : what]
}
