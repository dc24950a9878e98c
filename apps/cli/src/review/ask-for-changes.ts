import type { Client } from '@svc/client/client'
import { cutText } from '@svc/contracts/cut-text'
import { limits } from '@svc/contracts/limits'
import type { Objective } from '@svc/contracts/objective'
import { isNotStarted } from '@svc/contracts/states'
import type { Review } from './read-review.ts'

/**
 * The next objective of the mission, with the agent, model and resource of the last run. The blank one that a delivery
 * leaves behind is filled in.
 */
export async function askForChanges(
  client: Client,
  review: Review,
  instruction: string,
  resource: string | undefined,
): Promise<Objective> {
  const { mission, objectives } = review
  const settings = settingsLike(review, resource)
  const blank = objectives.find((one) => isNotStarted(one.state) && one.instruction.trim() === '')
  if (blank !== undefined) {
    const title = cutText(instruction.trim().split('\n')[0] ?? '', limits.titleCharacters)
    const change = { id: blank.id, title, instruction, ...settings }
    return (await client.call('updateObjective', change)).objective
  }
  const known = new Set(objectives.map(({ id }) => id))
  const added = await client.call('addObjectives', {
    id: mission.id,
    objectives: [{ instruction, ...settings }],
  })
  const next = added.objectives.find(
    ({ id, instruction: said }) => !known.has(id) && said === instruction,
  )
  if (next === undefined)
    throw new Error(`the objective was added to ${mission.displayId} and is not listed`)
  return next
}

function settingsLike({ objectives, runs }: Review, resource: string | undefined) {
  const [run] = runs
  const resourceKey = resource ?? run?.resourceKey
  const before = objectives.find(({ id }) => id === run?.objectiveId)
  return {
    ...(run && { assigned_agent: run.agent }),
    ...(before?.model != null && { model: before.model }),
    ...(before?.reasoning_effort != null && { reasoning_effort: before.reasoning_effort }),
    ...(resourceKey != null && { resource_key: resourceKey }),
  }
}
