import { z } from 'zod'

const Call = z.looseObject({
  toolCallId: z.string().optional(),
  status: z.string().nullish(),
  content: z.unknown().optional(),
})

/** A message of the Agent Client Protocol, as far as it is looked at here. */
const Said = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      update: Call.extend({ sessionUpdate: z.string().optional() }).optional(),
      toolCall: Call.optional(),
    })
    .optional(),
  result: z.unknown().optional(),
})
export type Said = z.infer<typeof Said>

/** Undefined for a line that is no message. */
export function parseSaid(line: string): Said | undefined {
  try {
    return Said.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** The call that it is about. It is over, or has begun to tell what comes of it, where it says so. */
export function callIn(said: Said | undefined): { id: string; isOver: boolean } | undefined {
  const call = said?.params?.update ?? said?.params?.toolCall
  if (call?.toolCallId === undefined) return undefined
  const isOver = call.status === 'completed' || call.status === 'failed'
  const tells = call.status !== 'pending' && Array.isArray(call.content) && call.content.length > 0
  return { id: call.toolCallId, isOver: isOver || tells }
}
