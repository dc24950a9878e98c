import { z } from 'zod'
import { type Answer, type Dialect, asText, events, json, tokens } from './dialect.ts'

const Part = z.looseObject({
  text: z.string().optional(),
  functionCall: z.looseObject({ args: z.unknown().optional() }).optional(),
  functionResponse: z.looseObject({ response: z.unknown().optional() }).optional(),
})

const Request = z.looseObject({
  contents: z.array(
    z.looseObject({ role: z.string().optional(), parts: z.array(Part).default([]) }),
  ),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]),
      }),
    )
    .default([]),
})

const generate = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/

/** Google's Gemini API. */
export const gemini: Dialect = {
  read(path, body) {
    const [, model = '', method] = generate.exec(path) ?? []
    if (method === undefined) return undefined
    const { contents, tools } = Request.parse(body)
    const parts = contents.flatMap((content) => content.parts)
    return {
      model,
      said: contents
        .filter(({ role }) => role === 'model')
        .flatMap((content) => content.parts)
        .map(({ text, functionCall }) => text ?? asText(functionCall?.args)),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [asText(functionResponse.response)],
      ),
      offered: tools.flatMap(({ functionDeclarations }) =>
        functionDeclarations.map(({ name }) => name),
      ),
      isStreamed: method === 'streamGenerateContent',
    }
  },
  answer(given) {
    const response = responseOf(given)
    return given.isStreamed ? events([response]) : json(response)
  },
  other: (path) =>
    path.endsWith(':countTokens') ? json({ totalTokens: tokens.input }) : undefined,
}

function responseOf({ id, model, content }: Answer) {
  const part =
    'text' in content
      ? { text: content.text }
      : { functionCall: { id: `call_${id}`, name: content.call.name, args: content.call.input } }
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.output,
    },
    modelVersion: model,
    responseId: id,
  }
}
