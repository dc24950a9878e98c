import { describe, expect, test } from 'vitest'
import { boundOutput, mostResultCharacters } from './tool-bounds.ts'

const size = (value: unknown) => JSON.stringify(value).length
const line = (id: number, text = 'x') => ({ id: String(id), text })

describe('a result', () => {
  test('that fits is left as it is', () => {
    const output = { missions: [line(1)] }
    expect(boundOutput(output)).toBe(output)
  })

  test('of long texts keeps every entry and says how much is missing', () => {
    const output = { missions: [1, 2, 3].map((id) => line(id, 'y'.repeat(50_000))) }
    const bounded = boundOutput(output) as { missions: { text: string }[]; truncated: boolean }
    expect(size(bounded)).toBeLessThanOrEqual(mostResultCharacters)
    expect(bounded.missions).toHaveLength(3)
    expect(bounded.truncated).toBe(true)
    expect(bounded.missions[0]?.text).toMatch(/y… \(34000 more characters\)$/)
  })

  test('says in a text that it cuts how to read on, from where it is cut', () => {
    const text = '🙂'.repeat(60_000)
    const missionId = crypto.randomUUID()
    const output = {
      currentObjective: { displayId: 'web:1.k7qd', instruction: text },
      artifacts: [{ id: missionId, missionId, contentText: text }],
    }
    const keep = ['currentObjective.instruction']
    const bounded = boundOutput(output, { keep }, { offset: 5 }) as typeof output
    const excerpts = [bounded.currentObjective.instruction, bounded.artifacts[0]?.contentText ?? '']
    const named = [{ objectiveId: 'web:1.k7qd' }, { missionId, artifactId: missionId }]
    for (const [index, cut] of excerpts.entries()) {
      const [kept = '', hint = ''] = cut.split('… (')
      const next = { ...named[index], offset: kept.length + 5 }
      const left = text.length - kept.length
      expect(hint).toBe(
        `${left} more characters: svc_load_mission_context ${JSON.stringify(next)})`,
      )
    }
  })

  test('of many entries keeps the newest, and its cursor goes on after the last one kept', () => {
    const output = {
      missions: Array.from({ length: 5000 }, (_, id) => line(id)),
      nextCursor: '4999',
    }
    const bounded = boundOutput(output, { paged: 'missions' }) as {
      missions: { id: string }[]
      nextCursor: string
    }
    expect(size(bounded)).toBeLessThanOrEqual(mostResultCharacters)
    expect(bounded.missions.length).toBeGreaterThan(100)
    expect(bounded.missions[0]?.id).toBe('0')
    expect(bounded.nextCursor).toBe(bounded.missions.at(-1)?.id)
  })

  test('that tells a history keeps its end', () => {
    const history = Array.from({ length: 5000 }, (_, id) => line(id))
    const bounded = boundOutput({ mission: {}, history }, { newestLast: ['history'] }) as {
      history: { id: string }[]
    }
    expect(bounded.history.at(-1)?.id).toBe('4999')
    expect(bounded.history[0]?.id).not.toBe('0')
    expect(bounded).not.toHaveProperty('nextCursor')
  })

  test('leaves the instruction that is to be carried out whole for as long as it can', () => {
    const currentObjective = { instruction: 'i'.repeat(39_000) }
    const previousObjectives = Array.from({ length: 10 }, () => ({
      instruction: 'p'.repeat(39_000),
    }))
    const output = { currentObjective, previousObjectives }
    const keep = ['currentObjective.instruction']
    const bounded = boundOutput(output, { keep }) as typeof output
    expect(bounded.currentObjective).toEqual(currentObjective)
    expect(bounded.previousObjectives).toHaveLength(10)
  })

  test('of nothing but depth is bounded too', () => {
    const list = () =>
      Array.from({ length: 100 }, () => ({ text: 't'.repeat(4_000), evidence: 'e'.repeat(4_000) }))
    const deliveries = [1, 2, 3].map((id) => ({
      ...line(id),
      report: { risks: list(), assumptions: list() },
    }))
    const bounded = boundOutput({ deliveries }) as { deliveries: unknown[] }
    expect(size(bounded)).toBeLessThanOrEqual(mostResultCharacters)
    expect(bounded.deliveries.length).toBeGreaterThan(0)
  })

  test('never ends in half of a pair', () => {
    const bounded = boundOutput({ text: '🙂'.repeat(60_000) }) as { text: string }
    expect(bounded.text.isWellFormed()).toBe(true)
  })
})
