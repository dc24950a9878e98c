import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { outputOf } from '../e2e/support/asking.ts'
import type { Place } from './place.ts'
import type { Sourced } from './tools/tool.ts'

export interface Refused {
  request: ExecutionRequest
  output: string
}

/** What becomes of a launch whose model the maker refuses. */
export async function meetRefusal(place: Place, { refuse }: Sourced): Promise<Refused> {
  const { scene, model, installed } = place
  const resetsAt = Math.floor(Date.now() / 1000) + 3600
  model.follow({ steps: [], refusal: refuse(resetsAt) })
  await scene.launch(installed.tool.key)
  const request = await scene.untilRequest(
    'refused',
    ({ endedAt, lastRelease }) => endedAt !== null || lastRelease !== null,
  )
  return { request, output: await outputOf(scene, request).catch(String) }
}
