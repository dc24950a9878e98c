import { z } from 'zod'
import { type Answer, type Dialect, asText, events, json, tokens } from './dialect.ts'

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  input: z.unknown().optional(),
  content: z.unknown().optional(),
})

const Request = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Block)]) }),
  ),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
})

/** Anthropic's Messages API. */
export const anthropic: Dialect = {
  read(path, body) {
    if (!path.endsWith('/v1/messages')) return undefined
    const { model, stream, messages, tools } = Request.parse(body)
    const blocks = messages.flatMap(({ role, content }) =>
      (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => ({
        role,
        ...block,
      })),
    )
    return {
      model,
      said: blocks
        .filter(({ role }) => role === 'assistant')
        .map(({ text, input }) => text ?? asText(input)),
      results: blocks
        .filter(({ type }) => type === 'tool_result')
        .map(({ content }) => asText(content)),
      offered: tools.map(({ name }) => name),
      isStreamed: stream,
    }
  },
  answer(given) {
    const message = messageOf(given)
    if (!given.isStreamed) return json(message)
    const { content, stop_reason: reason, usage, ...begun } = message
    return events([
      {
        type: 'message_start',
        message: {
          ...begun,
          content: [],
          stop_reason: null,
          usage: { ...usage, output_tokens: 1 },
        },
      },
      ...content.flatMap((block, index) => blockEvents(block, index)),
      {
        type: 'message_delta',
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      },
      { type: 'message_stop' },
    ])
  },
  other: (path) =>
    path.endsWith('/count_tokens') ? json({ input_tokens: tokens.input }) : undefined,
}

function messageOf({ id, model, content }: Answer) {
  const block =
    'text' in content
      ? { type: 'text' as const, text: content.text }
      : {
          type: 'tool_use' as const,
          id: `toolu_${id}`,
          name: content.call.name,
          input: content.call.input,
        }
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: tokens.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: tokens.output,
    },
  }
}

type AnyBlock = ReturnType<typeof messageOf>['content'][number]

function blockEvents(block: AnyBlock, index: number): object[] {
  const [begun, delta] =
    block.type === 'text'
      ? [
          { ...block, text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ]
  return [
    { type: 'content_block_start', index, content_block: begun },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ]
}
