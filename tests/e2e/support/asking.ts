import type { Scene } from './scene.ts'
import { until } from './until.ts'

/** A scene whose agent asks, and ends. */
export const asking = { repository: true, instructions: ['Write a line.\nscripted: ask-and-exit'] }

export async function untilAsked({ client, mission }: Scene) {
  return until('the agent has asked', async () => {
    const open = { missionId: mission.id, status: 'open' as const }
    return (await client.call('listQuestions', open)).questions[0]
  })
}

export async function outputOf({ client }: Scene, { id }: { id: string }): Promise<string> {
  const { bytes } = await client.call('getRunLog', { id })
  return Buffer.from(bytes).toString()
}
