import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { until } from '../e2e/support/until.ts'
import type { Place } from './place.ts'
import type { Sourced } from './tools/tool.ts'

/** What becomes of a launch whose model the maker refuses. */
export async function meetRefusal(place: Place, { refuse }: Sourced): Promise<ExecutionRequest> {
  const { scene, model, installed } = place
  const resetsAt = Math.floor(Date.now() / 1000) + 3600
  model.follow({ steps: [], refusal: refuse(resetsAt) })
  await scene.launch(installed.tool.key)
  const look = async () => {
    const request = await scene.request()
    return request.endedAt !== null || request.lastRelease !== null ? request : undefined
  }
  return await until('the run is refused', look, { seconds: 300 })
}
