import { z } from 'zod'
import { type Answer, type Dialect, asText, events, json, tokens } from './dialect.ts'

const Item = z.looseObject({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: z.unknown().optional(),
  arguments: z.string().optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
})

const Request = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  input: z.union([z.string().transform((): z.infer<typeof Item>[] => []), z.array(Item)]),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).default([]),
})

/** OpenAI's Responses API. */
export const responses: Dialect = {
  read(path, body) {
    if (!path.endsWith('/responses')) return undefined
    const { model, stream, input, tools } = Request.parse(body)
    return {
      model,
      said: input.flatMap((item) => {
        if (item.role === 'assistant') return [asText(item.content)]
        return item.type.endsWith('_call') ? [item.arguments ?? asText(item.input)] : []
      }),
      results: input
        .filter(({ type }) => type.endsWith('_call_output'))
        .map(({ output }) => asText(output)),
      offered: tools.map(({ name, type }) => name ?? type),
      isStreamed: stream,
    }
  },
  answer(given) {
    const response = responseOf(given)
    if (!given.isStreamed) return json(response)
    const { output, ...begun } = response
    return events([
      { type: 'response.created', response: { ...begun, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item },
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response },
    ])
  },
  other: (path) =>
    path.endsWith('/models') ? json({ object: 'list', data: [], models: [] }) : undefined,
}

function responseOf(given: Answer) {
  return {
    id: `resp_${given.id}`,
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: given.model,
    output: [itemOf(given)],
    usage: {
      input_tokens: tokens.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens.input + tokens.output,
    },
  }
}

function itemOf({ id, content }: Answer): object {
  if ('text' in content) {
    return {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: content.text, annotations: [] }],
    }
  }
  const { name, input, isFreeform } = content.call
  const call = { call_id: `call_${id}`, name, status: 'completed' }
  if (isFreeform) return { ...call, type: 'custom_tool_call', id: `ctc_${id}`, ...input }
  return { ...call, type: 'function_call', id: `fc_${id}`, arguments: JSON.stringify(input) }
}
