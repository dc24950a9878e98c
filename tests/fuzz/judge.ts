import { ErrorBody, ErrorCode, errorStatus } from '@svc/contracts/errors'
import { z } from 'zod'
import type { Sent } from './request.ts'
import type { Answer } from './send.ts'
import type { RequestTemplate } from './request-templates.ts'

const RpcError = z.looseObject({ code: z.int(), message: z.string() })
const RpcAnswer = z.union([
  z.looseObject({ jsonrpc: z.literal('2.0'), result: z.looseObject({}) }),
  z.looseObject({ jsonrpc: z.literal('2.0'), error: RpcError }),
])
const Challenge = z.strictObject({ error: z.string(), error_description: z.string() })

/** What is wrong with the answer, if anything. */
export function judge(
  template: RequestTemplate,
  { method }: Sent,
  answer: Answer,
): string | undefined {
  const { status, type, text } = answer
  if (status >= 500) return `answers ${status}`
  // Node refuses by itself what it is to expect
  if (text === '' && status === 417) return undefined
  if (method === 'HEAD' || method === 'OPTIONS') return undefined
  const isStream = type.startsWith('text/event-stream')
  if (template.operation.surface === 'feed' && status < 400 && method === 'GET')
    return isStream && text.startsWith(':\n') ? undefined : `answers with no feed: ${text}`
  if (isStream) return undefined
  // no surface has seen it
  if (status === 431) return judgeRefusal(status, text)
  return template.via === 'api' ? judgeApi(template, answer) : judgeMcp(template, answer)
}

function judgeApi(
  { operation: { endpoint }, mutation }: RequestTemplate,
  { status, text }: Answer,
) {
  if (status >= 400) return judgeRefusal(status, text)
  const isAnother = mutation.method !== undefined || mutation.part !== undefined
  if (isAnother || typeof endpoint.answer === 'string') return undefined
  const parsed: unknown = parse(text)
  if (endpoint.slow && ErrorBody.safeParse(parsed).success) return undefined
  const { error } = endpoint.answer.safeParse(parsed)
  return error && `answers otherwise than its contract: ${z.prettifyError(error).slice(0, 300)}`
}

function judgeRefusal(status: number, text: string): string | undefined {
  const { data, error } = ErrorBody.safeParse(parse(text))
  if (error) return `refuses with ${status} in another shape: ${text.slice(0, 200)}`
  const { code } = data.error
  if (code === 'internal' || errorStatus[code] !== status) return `says ${code} with ${status}`
  return undefined
}

function judgeMcp(
  { operation, mutation }: RequestTemplate,
  { status, text }: Answer,
): string | undefined {
  const parsed = parse(text)
  if (status === 401 || status === 403) {
    const isKnownShape = Challenge.safeParse(parsed).success || RpcAnswer.safeParse(parsed).success
    return isKnownShape
      ? undefined
      : `refuses with ${status} in another shape: ${text.slice(0, 200)}`
  }
  if (status === 202 && text === '') return undefined
  if (mutation.method !== undefined) return undefined
  const answers = Array.isArray(parsed) ? parsed : [parsed]
  for (const one of answers) {
    const { data, error } = RpcAnswer.safeParse(one)
    if (error) return `answers ${status} in another shape: ${text.slice(0, 200)}`
    const problem =
      'error' in data
        ? judgeRpcError(RpcError.parse(data.error))
        : judgeResult(operation.name, data.result)
    if (problem !== undefined) return problem
  }
  // what is within the message is a matter of the tool, and of nothing before it
  if (status !== 200 && Object.keys(mutation).length === 0)
    return `answers ${status}: ${text.slice(0, 200)}`
  return undefined
}

function judgeRpcError({ code, message }: z.infer<typeof RpcError>): string | undefined {
  if (code === -32603) return `fails: ${message}`
  if (/"(code|path)":|\binvalid_(type|union)\b|Error:|\n/.test(message))
    return `dumps: ${message.slice(0, 300)}`
  return undefined
}

const ToolResult = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.literal('text'), text: z.string() })).min(1),
})

function judgeResult(name: string, result: unknown): string | undefined {
  const { data, error } = ToolResult.safeParse(result)
  if (error) return `gives no result of a tool: ${JSON.stringify(result).slice(0, 200)}`
  if (data.isError !== true) return undefined
  const [code] = (data.content[0]?.text ?? '').split(':', 1)
  if (!ErrorCode.safeParse(code).success || code === 'internal')
    return `${name} says ${data.content[0]?.text.slice(0, 200)}`
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
