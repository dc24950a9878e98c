import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../errors.ts'
import { invalidArguments, toolError, toolResult } from './tool-result.ts'

const textOf = (result: { content: { text: string }[] }) => result.content[0]?.text

describe('a tool result', () => {
  test('says the same as text and as structure', () => {
    expect(toolResult({ a: 1 })).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { a: 1 },
    })
  })

  test('that is a refusal has a code, a sentence, and no structure', () => {
    const result = toolError(
      new ServiceError('not_found', 'No mission web:9 here. List them with: svc missions list'),
    )
    expect(result).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'not_found: No mission web:9 here. List them with: svc_search_missions',
        },
      ],
      _meta: { 'svc/error': { code: 'not_found', retryable: false } },
    })
  })

  test('that may succeed later says when', () => {
    const limited = toolError(new ServiceError('rate_limited', 'Wait.', { retryAfterSeconds: 1.2 }))
    expect(limited._meta).toEqual({
      'svc/error': { code: 'rate_limited', retryable: true, retryAfterSeconds: 2 },
    })
  })

  test.each([
    [
      'web:12.k7qd has no instruction yet. Write one: svc objectives edit web:12.k7qd --instruction "…"',
      'svc_update_objective',
    ],
    ['add another objective: svc objectives add web:12', 'svc_add_objectives'],
    ['see its run: svc runs list --objective web:12.k7qd', 'svc_load_mission_context'],
    ['Attach again to go on: svc protocol attach', 'svc_attach_session'],
  ])('of "%s" names a tool in place of a command', (message, tool) => {
    const text = textOf(toolError(new ServiceError('invalid_transition', message)))
    expect(text?.endsWith(tool)).toBe(true)
    expect(text).not.toContain('svc ')
  })

  test('of wrong arguments names each of them, and bounded', () => {
    const schema = z.strictObject({ title: z.string(), limit: z.int() })
    const refused = (input: unknown) =>
      invalidArguments('svc_x', schema.safeParse(input).error!).message
    expect(refused({ limit: 'x', mystery: 1 })).toMatch(
      /title: .*; limit: .*; mystery: this argument is not known here\. Correct/,
    )
    expect(refused({ ['k'.repeat(100_000)]: 1 }).length).toBeLessThan(2200)
  })
})
