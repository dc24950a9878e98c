import { z } from 'zod'
import { type Answer, type Dialect, asText, events, json, tokens } from './dialect.ts'

const Request = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.unknown().optional(),
      tool_calls: z
        .array(z.looseObject({ function: z.looseObject({ arguments: z.string() }) }))
        .nullish(),
    }),
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).nullish(),
})

/** OpenAI's chat completions, which many providers offer. */
export const chat: Dialect = {
  read(path, body) {
    if (!path.endsWith('/chat/completions')) return undefined
    const { model, stream, messages, tools } = Request.parse(body)
    return {
      model,
      said: messages
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ content, tool_calls: calls }) => [
          asText(content),
          ...(calls ?? []).map((call) => call.function.arguments),
        ]),
      results: messages.filter(({ role }) => role === 'tool').map(({ content }) => asText(content)),
      offered: (tools ?? []).map((tool) => tool.function.name),
      isStreamed: stream === true,
    }
  },
  answer(given) {
    const { id, model, isStreamed } = given
    const base = { id: `chatcmpl-${id}`, created: 0, model }
    const { message, reason } = messageOf(given)
    if (!isStreamed) {
      const choice = { index: 0, message, finish_reason: reason }
      return json({ ...base, object: 'chat.completion', choices: [choice], usage })
    }
    const chunk = (choices: object[], more = {}) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices,
      ...more,
    })
    return events(
      [
        chunk([{ index: 0, delta: message, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: reason }]),
        chunk([], { usage }),
      ],
      'data: [DONE]\n\n',
    )
  },
  other: (path) => (path.endsWith('/models') ? json({ object: 'list', data: [] }) : undefined),
}

const usage = {
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
}

function messageOf({ id, content }: Answer): { message: object; reason: string } {
  if ('text' in content) {
    return { message: { role: 'assistant', content: content.text }, reason: 'stop' }
  }
  const { name, input } = content.call
  const call = {
    index: 0,
    id: `call_${id}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }
  return { message: { role: 'assistant', content: null, tool_calls: [call] }, reason: 'tool_calls' }
}
