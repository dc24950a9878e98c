import type { Need, NeedKind } from '@svc/contracts/need'
import { describe, expect, test } from 'vitest'
import { limits, needKinds } from '../data/contracts.values.ts'
import { type NeedOf, totalOf, wordsOfNeed } from './needs.ts'

const objective = { id: 'o', displayId: 'web:12.k7qd', title: 'Theme switch' }
const mission = { id: 'm', displayId: 'web:12', title: 'Themes' }
const queue = { id: 'q', name: 'Nightly' }
const project = { id: 'p', slug: 'web' }

// what the words are made of
const needs: { readonly [K in NeedKind]: Partial<NeedOf<K>> } = {
  question: { objective, runner: 'lap-2' },
  review: { mission, delivery: null },
  approval: { objective, refusal: { code: 'no_agent', message: 'no agent is named for it' } },
  stopped_run: { objective, run: null, reason: 'its agent ended without a delivery' },
  held_entry: { objective, queue, reason: 'no_agent' },
  paused_queue: { project, queue, reason: null, waiting: 1 },
  untaken_launch: { objective, run: { id: 'r', agent: 'rare' }, reason: 'no runner has rare' },
  disabled_webhook: { project, webhook: { id: 'w', name: 'CI', reason: 'failures' } },
  ending_token: {
    token: {
      id: 't',
      label: 'laptop',
      kind: 'minted',
      endsAt: '2026-12-01T00:00:00Z',
      person: { id: 'u', name: 'Ada' },
    },
  },
}

const asked = { question: 'Tabs or spaces?', agentIdentifier: 'claude' }

function words(kind: NeedKind) {
  const more = kind === 'question' ? { question: asked } : {}
  return wordsOfNeed({ kind, ...needs[kind], ...more } as Need)
}

describe('what waits', () => {
  test.each(needKinds)('%s is said by a sign, a name and whole sentences', (kind) => {
    const { wording, about, said, settled } = words(kind)
    expect(wording.sign).toMatch(/^.$/u)
    expect(about.title).not.toBe('')
    expect(said.length).toBeGreaterThan(0)
    for (const sentence of [wording.sentence, ...said, settled]) {
      expect(sentence).toMatch(/^[A-Z1-9].*[.?]$/)
    }
  })

  test('is of somebody, where that is known', () => {
    const whose = needKinds.map((kind) => words(kind).who)
    expect(whose).toEqual(['claude on lap-2', null, null, null, null, null, 'rare', 'web', 'Ada'])
  })

  test('in review says how much there is to look at, as far as that is known', () => {
    const delivery = { id: 'd', createdAt: '', files: 9, additions: 212, deletions: 80 }
    const said = (more: object) =>
      wordsOfNeed({ kind: 'review', mission, delivery: { ...delivery, ...more } } as Need).said
    expect(said({ checks: 'passed', humanActions: 1 })).toEqual([
      '9 files +212 −80 · checks passed · 1 thing for you to do',
    ])
    expect(said({ files: null, checks: null, humanActions: 0 })).toEqual(['It was delivered.'])
  })
})

test('a failure is said in words, and by its code where nobody has words for it', () => {
  const said = (reason: string) =>
    wordsOfNeed({ kind: 'stopped_run', ...needs.stopped_run, reason } as Need).said
  const [words, message] = said('agent_not_found: it is not installed')
  expect(words).not.toContain('_')
  expect(message).toBe('It is not installed.')
  expect(said('new_code: it is new')).toEqual(['New_code: it is new.'])
})

test('the sum of all kinds says where more may wait than are counted', () => {
  const none = Object.fromEntries(needKinds.map((kind) => [kind, { mine: 0, all: 1 }]))
  // of each kind, as the service says it
  const counts = none as Parameters<typeof totalOf>[0]
  expect(totalOf(counts, 'mine')).toEqual({ count: 0, text: '0' })
  expect(totalOf(counts, 'all')).toEqual({ count: 9, text: '9' })
  const many = { ...counts, review: { mine: limits.countedNeeds, all: limits.countedNeeds } }
  expect(totalOf(many, 'mine').text).toBe(`${limits.countedNeeds}+`)
})
