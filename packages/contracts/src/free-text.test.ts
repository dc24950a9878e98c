import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { ChangeRationale } from './change-rationale.ts'
import { toolContracts } from './mcp/tools.ts'
import { Title } from './objective.ts'
import { protocolContracts } from './protocol.ts'
import { restContracts } from './rest.ts'
import type { EndpointContract } from './rest/endpoint.ts'
import { formOfToken, maskTokens, tokenChecksum } from './token-form.ts'

const body = `svcut_${'aB3'.repeat(14)}x`
const token = body + tokenChecksum(body)

describe('a text', () => {
  test.each([
    ['alone', token, 'svcut_…(masked)'],
    ['within a sentence', `I used ${token}.`, 'I used svcut_…(masked).'],
    ['between letters', `X_${token}yz`, 'X_svcut_…(masked)yz'],
    ['twice', `${token}${token}`, 'svcut_…(masked)svcut_…(masked)'],
    ['after a broken one', `svcut_abc ${token}`, 'svcut_abc svcut_…(masked)'],
  ])('loses a token that stands in it %s', (_, text, masked) => {
    expect(formOfToken(token)).toBe('minted')
    expect(maskTokens(text)).toBe(masked)
    expect(maskTokens(masked)).toBe(masked)
  })

  test('keeps what only looks like one', () => {
    const other = `svcut_${'0'.repeat(49)}`
    expect(maskTokens(`${other} svcoa_`)).toBe(`${other} svcoa_`)
  })
})

describe('a title', () => {
  test.each([
    ['a zero-width space', '\u200b'],
    ['joiners and marks of direction between spaces', '\u200d \u2066 \ufeff'],
    ['fillers', '\u3164\u115f'],
  ])('is not %s alone', (_, text) => {
    expect(Title.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      'write something that can be seen',
    ])
  })

  test.each(['a', '7', '👩‍👩‍👧', '\u200bשלום', '…'])('may be %s', (text) => {
    expect(Title.parse(text)).toBe(text)
  })
})

/** Not words: keys that are looked up, passwords, refs, addresses, arguments of commands, names of machines and branches. */
const noWords =
  /(^|\.)(sessionKey|leaseToken|cursor|path|fingerprint|platform|arch|version|workingDirectory|filePath|query|type|statusTypes|endpointUrl|device|branch|missionBranch|defaultBranch|cloneUrl|follows|insteadOf|baseSha|headSha|model|modelIdentifier|reasoning_effort|reasoningEffort|externalSessionId|pidStartedAt|currentPassword|newPassword|x-svc-\w+)(\.|$)/

describe('every field of what is sent that takes words', () => {
  const rest: Record<string, EndpointContract> = restContracts
  const inputs: [string, z.ZodType][] = [
    ...Object.entries(rest).flatMap(([name, { body: sent }]): [string, z.ZodType][] =>
      sent instanceof z.ZodType ? [[name, sent]] : [],
    ),
    ...Object.entries(protocolContracts).map(([name, one]): [string, z.ZodType] => [
      name,
      one.input,
    ]),
    ...Object.entries(toolContracts).map(([name, one]): [string, z.ZodType] => [name, one.input]),
    ['changeRationales', ChangeRationale],
  ]

  test.each(inputs)('masks tokens: %s', (_, schema) => {
    const kept = stringsOf(schema, '').filter(
      ([path, field]) => !noWords.test(path) && keepsToken(field),
    )
    expect(kept.map(([path]) => path)).toEqual([])
  })
})

function keepsToken(field: z.ZodType): boolean {
  return [token, `https://example.com/${token}`].some((text) => {
    const parsed = field.safeParse(text)
    return parsed.success && String(parsed.data).includes(token)
  })
}

/** The strings that a schema is made of, with their paths. */
function stringsOf(schema: unknown, path: string): [string, z.ZodType][] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) =>
      stringsOf(field, path === '' ? name : `${path}.${name}`),
    )
  }
  if (schema instanceof z.ZodArray) return stringsOf(schema.element, path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => stringsOf(one, path))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return stringsOf(schema.unwrap(), path)
  if (schema instanceof z.ZodDefault) return stringsOf(schema.unwrap(), path)
  if (schema instanceof z.ZodRecord) return stringsOf(schema.valueType, path)
  return schema instanceof z.ZodString || schema instanceof z.ZodURL ? [[path, schema]] : []
}
