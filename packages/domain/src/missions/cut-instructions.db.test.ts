import { limits } from '@svc/contracts/limits'
import { describe, expect } from 'vitest'
import { test } from '../testing/world.ts'

const long = `Ä${'x'.repeat(limits.instructionCharacters - 1)}`
const bytes = limits.instructionCharacters + 1

describe('the instructions of a mission', () => {
  test('are whole, unless a length is asked for; what is cut says how long it is', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith([long, 'short'])
    const { id } = mission
    const whole = await alice.call('getMission', { id })
    expect(whole.objectives.map(({ instruction }) => instruction)).toEqual([long, 'short'])
    expect(whole.objectives.map(({ instructionBytes }) => instructionBytes)).toEqual([
      undefined,
      undefined,
    ])
    for (const name of ['getMission', 'getMissionOverview'] as const) {
      const cut = await alice.call(name, { id, instructionCharacters: 5 })
      expect(cut.objectives).toEqual([
        { ...whole.objectives[0], instruction: 'Äxxxx', instructionBytes: bytes },
        whole.objectives[1],
      ])
      const none = await alice.call(name, { id, instructionCharacters: 0 })
      expect(none.objectives.map((one) => [one.instruction, one.instructionBytes])).toEqual([
        ['', bytes],
        ['', 5],
      ])
    }
    expect((await alice.objective(mission.objectives[0])).instruction).toBe(long)
  })

  test(
    'are cut in a list of objectives, which ends where a page is full',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith([])
      const { objectives } = await alice.call('addObjectives', {
        id: mission.id,
        objectives: Array.from({ length: 50 }, () => ({ instruction: long })),
      })
      await alice.call('addObjectives', {
        id: mission.id,
        objectives: Array.from({ length: 20 }, () => ({ instruction: long })),
      })
      const all = (await alice.mission(mission)).objectives
      const ids = all.map(({ id }) => id).join(',')
      const listed = await alice.call('listObjectives', { ids, limit: limits.pageItemsMax })
      expect(listed.objectives).toHaveLength(70)
      expect(new Set(listed.objectives.map((one) => one.instruction.length))).toEqual(
        new Set([limits.listedInstructionCharacters]),
      )
      expect(objectives).toHaveLength(50)

      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await alice.call('listObjectives', {
          ids,
          limit: limits.pageItemsMax,
          instructionCharacters: limits.instructionCharacters,
          ...(cursor !== undefined && { cursor }),
        })
        expect(page.objectives.length).toBeLessThan(70)
        found.push(...page.objectives.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(found).toEqual(listed.objectives.map(({ id }) => id))
    },
  )
})
