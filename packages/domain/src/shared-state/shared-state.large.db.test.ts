import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('the shared state of a mission', () => {
  test('is 256 KiB and 500 keys at most', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const { id } = mission
    const set = (key: string, value: string) =>
      alice.call('setSharedState', { id, key, value, expectedRevision: 0 })
    await set('a', 'x'.repeat(200 * 1024))
    const large = await world.rowsWrittenBy(() => set('b', 'x'.repeat(60 * 1024)))
    expect(large).toMatchObject({ rows: [], refusal: { code: 'too_large' } })
    for (let count = 1; count < 500; count += 1) await set(`k${count}`, '')
    const many = await world.rowsWrittenBy(() => set('one-more', ''))
    expect(many).toMatchObject({ rows: [], refusal: { code: 'too_large' } })
  })
})
