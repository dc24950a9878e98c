import { toolContract } from '@svc/contracts/mcp/tools'
import { withoutField } from '@svc/http/json-shape'
import { z } from 'zod'
import { isToolName } from './handlers.ts'

const Call = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string().refine(isToolName), arguments: z.unknown() }),
})

/** A call of a tool without the argument that the tool judges for itself; any other message as it is. */
export function withoutAdvice(message: unknown): unknown {
  const call = Call.safeParse(message)
  if (!call.success) return message
  const { params } = call.data
  const { advice } = toolContract(params.name)
  return { ...call.data, params: { ...params, arguments: withoutField(params.arguments, advice) } }
}
