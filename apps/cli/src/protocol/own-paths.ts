import { z } from 'zod'
import type { ProjectResource } from '@svc/contracts/project'
import { ConnectionState } from '@svc/contracts/states'

const Known = z.array(
  z.looseObject({
    resourceKey: z.string(),
    path: z.string().nullable(),
    state: ConnectionState,
  }),
)

/**
 * Resources with the paths that the runner gave this run: the service knows which checkout is linked, and not in which
 * worktree of it the run works, if in any.
 */
export function withOwnPaths<A extends object>(answer: A, env: NodeJS.ProcessEnv): A {
  if (!('projectResources' in answer)) return answer
  const byKey = knownPaths(env['SVC_PROJECT_RESOURCES'])
  // both answers that have it have it as a list of resources
  const resources = answer.projectResources as ProjectResource[]
  const projectResources = resources.map((one) => ({ ...one, ...byKey.get(one.resourceKey) }))
  return { ...answer, projectResources }
}

function knownPaths(
  text: string | undefined,
): Map<string, Pick<ProjectResource, 'path' | 'state'>> {
  try {
    const known = Known.safeParse(JSON.parse(text || '[]'))
    return new Map(
      known.data?.map(({ resourceKey, path, state }) => [resourceKey, { path, state }]),
    )
  } catch {
    return new Map()
  }
}
