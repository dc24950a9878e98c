import { limits } from '@svc/contracts/limits'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { bytes, file } from './testing/attachment-files.ts'

describe('the attachments of an objective', () => {
  test('are 50 files and 50 MiB at most', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [many, large] = mission.objectives
    for (let count = 0; count < 50; count += 1) {
      await alice.call('addAttachment', { id: many.id, name: `f${count}`, bytes })
    }
    const whole = Buffer.alloc(limits.attachmentBytes)
    for (let count = 0; count < 5; count += 1) {
      await alice.call('addAttachment', { id: large.id, name: `f${count}`, bytes: whole })
    }
    for (const { id } of [many, large]) {
      const written = await world.rowsWrittenBy(() => alice.call('addAttachment', { id, ...file }))
      expect(written).toMatchObject({ rows: [], refusal: { code: 'too_large' } })
    }
  })
})
