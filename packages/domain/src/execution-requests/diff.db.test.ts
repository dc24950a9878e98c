import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('the diff of a run', () => {
  test('is the last one that its runner sent', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    await runner.diff(lease, { patch: 'first', dirty: true })
    const stat = [{ filePath: 'docs/a.md', additions: 3, deletions: null }]
    await runner.diff(lease, { stat })

    const { diff } = await alice.call('getRunDiff', { id: lease.id })

    expect(diff).toEqual({
      baseSha: 'a'.repeat(40),
      headSha: 'b'.repeat(40),
      stat,
      truncated: false,
      dirty: false,
    })
  })

  test('is not there before it was sent', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { executionRequest } = await alice.launch(mission.objectives[0])
    await expect(alice.call('getRunDiff', { id: executionRequest.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
