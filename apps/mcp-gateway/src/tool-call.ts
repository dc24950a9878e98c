import { echoed } from '@svc/contracts/echoed'
import { type ServiceError, isServiceError } from '@svc/contracts/errors'
import { toolContract } from '@svc/contracts/mcp/tools'
import { checkJsonShape, withoutFields } from '@svc/http/json-shape'
import { validationFailed } from '@svc/http/validation'
import { z } from 'zod'
import { isToolName } from './handlers.ts'

const Call = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string(), arguments: z.unknown() }),
})

export interface ReadCall {
  message: unknown
  /** What no tool takes for arguments, whatever the tool. */
  refused?: ServiceError
}

/**
 * A message whose arguments are an object that the rest can walk through. What is wrong with them is for the tool to
 * say, since a model reads its result and no error of the protocol.
 */
export function readToolCall(message: unknown): ReadCall {
  const call = Call.safeParse(message)
  if (!call.success) {
    checkJsonShape(message)
    return { message }
  }
  const { params } = call.data
  const { arguments: given, ...others } = params
  checkJsonShape({ ...call.data, params: others })
  const refused = problemOf(params.name, given)
  if (!refused) return { message }
  return { message: { ...call.data, params: { ...params, arguments: {} } }, refused }
}

/** But for the arguments that the tool judges for itself. */
function problemOf(name: string, given: unknown): ServiceError | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return validationFailed([{ path: 'arguments', message: 'give an object' }])
  }
  try {
    checkJsonShape(isToolName(name) ? withoutFields(given, toolContract(name).advice) : given)
    return undefined
  } catch (error) {
    if (isServiceError(error)) return error
    throw error
  }
}

const dump = /^(.*?: )(\[.*\])$/s

/** What the SDKs say of a call that is none, in words in place of the list that their validator makes. */
export async function inWords(response: Response): Promise<Response> {
  const { status, headers } = response
  if (!headers.get('content-type')?.startsWith('application/json')) return response
  const text = await response.text()
  const answer: unknown = JSON.parse(text, (key, value: unknown) =>
    key === 'message' && typeof value === 'string' ? sentenceOf(value) : value,
  )
  return Response.json(answer, { status, headers })
}

const Issues = z.array(
  z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }),
)

function sentenceOf(message: string): string {
  const [, before = '', list = ''] = dump.exec(message) ?? []
  if (list === '') return message
  const { data } = Issues.safeParse(JSON.parse(list))
  if (!data) return message
  return (
    before +
    data.map((issue) => `${echoed(issue.path.join('.'))}: ${echoed(issue.message)}`).join('; ')
  )
}
