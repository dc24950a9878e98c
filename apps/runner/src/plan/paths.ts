import { homeAt } from '../files/home.ts'
import { pathBelow } from '../files/path-below.ts'
import type { RunOrder } from '../run/order.ts'

type Order = Pick<RunOrder, 'assignment' | 'home'>

/** Where a run works that has no resource. */
export function scratchPath({ assignment, home }: Order): string {
  const { project, mission } = assignment
  const sequence = mission.displayId.split(':').at(-1) ?? mission.id
  return pathBelow(homeAt(home).scratch, project.slug, sequence)
}

export function briefingPath(
  scratchFolder: string,
  { requestId, generation }: { requestId: string; generation: number },
): string {
  return pathBelow(scratchFolder, `briefing-${requestId}-${generation}.md`)
}

/** Short, because programs put sockets there and a socket's path may have no more than 107 characters. */
export function tmpPath({ assignment, home }: Order): string {
  const { executionRequest, project } = assignment
  const name = `${executionRequest.id.slice(-12)}.${executionRequest.generation}`
  return pathBelow(homeAt(home).tmp, project.slug, name)
}
