import type { Client } from '@svc/client/client'
import type { RouteOutput } from '@svc/contracts/rest'
import { type Cli, print } from '../cli.ts'
import { describeMission } from './describe-mission.ts'

/** What was planned, and what to do now, as at the end of the mission's overview. */
export async function printPlanned(
  cli: Cli,
  client: Client,
  answer: RouteOutput<'addObjectives'>,
): Promise<void> {
  const { mission, objectives } = answer
  await print(cli, answer, async () => {
    const description = await describeMission(cli, mission, objectives)
    const steps = await stepsNow(cli, client, mission.displayId)
    return steps === undefined ? description : `${description}\n\n${steps}`
  })
}

/** Undefined where it cannot be read: what was planned stands, and a failure would have it planned again. */
async function stepsNow(cli: Cli, client: Client, id: string): Promise<string | undefined> {
  const { readOverview } = await import('./mission-overview.ts')
  const { describeSteps } = await import('./describe-overview.ts')
  const overview = await readOverview(cli, client, id).catch(() => undefined)
  return overview && describeSteps(cli, overview.nextSteps)
}
