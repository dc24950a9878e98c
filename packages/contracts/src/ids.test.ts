import { describe, expect, test } from 'vitest'
import {
  AgentKey,
  Effort,
  MissionDisplayId,
  MissionRef,
  ModelName,
  ObjectiveDisplayId,
  ObjectiveRef,
  ResourceKey,
  Slug,
  isMissionDisplayId,
  isObjectiveDisplayId,
  missionOfDisplayId,
  namesItsMission,
} from './ids.ts'

const uuid = '0192f0c4-8f3e-7c61-9f0a-3b1f2d4c5e6f'

describe('a slug', () => {
  test.each(['a', 'web', 'web-2', '0', 'a'.repeat(40)])('%s is one', (slug) => {
    expect(Slug.safeParse(slug).success).toBe(true)
  })

  test.each(['', '-web', 'web-', 'Web', 'we b', 'web:1', 'a'.repeat(41), 'wéb'])(
    '%s is none',
    (slug) => {
      expect(Slug.safeParse(slug).success).toBe(false)
    },
  )
})

describe('a display id', () => {
  test('of a mission reads slug:sequence', () => {
    expect(MissionDisplayId.safeParse('web:12').success).toBe(true)
    for (const wrong of ['web', 'web:', 'web:0', 'web:01', 'web:-1', 'web:1.abcd', ':1', 'Web:1']) {
      expect(MissionDisplayId.safeParse(wrong).success).toBe(false)
    }
  })

  test('of an objective reads slug:sequence.key', () => {
    for (const right of ['web:12.k7qd', 'web:12.k7qdz']) {
      expect(ObjectiveDisplayId.safeParse(right).success).toBe(true)
    }
    for (const wrong of [
      'web:12',
      'web:12.',
      'web:12.k7q',
      'web:12.k7qdzz',
      'web:12.il0u',
      'web.k7qd',
    ]) {
      expect(ObjectiveDisplayId.safeParse(wrong).success).toBe(false)
    }
  })

  test('that is none of what is asked for is answered with how one reads', () => {
    const messageOf = (ref: typeof MissionRef, text: string) =>
      ref.safeParse(text).error?.issues.map(({ message }) => message)
    expect(messageOf(MissionRef, 'web:12.k7qd')).toEqual([expect.stringContaining('as in web:12,')])
    expect(messageOf(ObjectiveRef, 'web:12')).toEqual([
      expect.stringContaining('as in web:12.k7qd,'),
    ])
  })

  test('of an objective names its mission', () => {
    expect(missionOfDisplayId('web:12.k7qd')).toBe('web:12')
    expect(namesItsMission({ objectiveId: 'web:12.k7qd' })).toBe(true)
  })

  test('is told from a UUID and from the other kind', () => {
    expect([isMissionDisplayId('web:1'), isObjectiveDisplayId('web:1')]).toEqual([true, false])
    expect([isMissionDisplayId('web:1.k7qd'), isObjectiveDisplayId('web:1.k7qd')]).toEqual([
      false,
      true,
    ])
    expect([isMissionDisplayId(uuid), isObjectiveDisplayId(uuid)]).toEqual([false, false])
  })
})

test.each([uuid, 'web:3'])('a mission is named by %s', (ref) => {
  expect(MissionRef.safeParse(ref).success).toBe(true)
})

test.each([uuid, 'web:3.k7qd'])('an objective is named by %s', (ref) => {
  expect(ObjectiveRef.safeParse(ref).success).toBe(true)
})

test.each([
  [{ missionId: uuid }, true],
  [{ objectiveId: uuid }, false],
  [{ missionId: uuid, objectiveId: uuid }, true],
  [{ sessionKey: 'sess_x' }, true],
  [{}, false],
])('whether %j names its mission: %s', (scope, named) => {
  expect(namesItsMission(scope)).toBe(named)
})

test.each([
  'sonnet[1m]',
  'claude-opus-4@20250514',
  'openrouter/x+y',
  'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-v4:0',
  'Claude Opus 4.5',
  `it's "one"; $(id), ü`,
])('a model is called %j', (value) => {
  expect(ModelName.safeParse(value).success).toBe(true)
  expect(Effort.safeParse(value).success).toBe(true)
})

test.each(['-rf', '--model', '', 'a\nb', 'a\0b', 'a\r', 'x'.repeat(301)])(
  'neither model nor effort may be %j, which enters an argument list',
  (value) => {
    expect(ModelName.safeParse(value).success).toBe(false)
    expect(Effort.safeParse(value).success).toBe(false)
  },
)

test.each(['-x', '../up', 'A', '', 'a/b'])(
  'neither a resource nor an agent is called %j',
  (key) => {
    expect(ResourceKey.safeParse(key).success).toBe(false)
    expect(AgentKey.safeParse(key).success).toBe(false)
  },
)
