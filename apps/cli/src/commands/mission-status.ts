import type { Client } from '@svc/client/client'
import type { ProjectStatus } from '@svc/contracts/project'
import { usageFailure } from '../output/failure.ts'

/** The status of the project that is meant by its UUID, its label or its type. */
export async function statusOf(
  client: Client,
  projectId: string,
  wanted: string,
): Promise<ProjectStatus> {
  const { statuses } = await client.call('listProjectStatuses', { id: projectId })
  const same = (one: string) => one.toLowerCase() === wanted.toLowerCase()
  const status =
    statuses.find((one) => same(one.id) || same(one.label)) ??
    statuses.find((one) => same(one.type))
  if (status !== undefined) return status
  const known = statuses.map((one) => one.label).join(', ')
  throw usageFailure(`This project has no status ${wanted}: use one of ${known}.`)
}
