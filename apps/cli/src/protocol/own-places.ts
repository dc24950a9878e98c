import { z } from 'zod'
import type { ProjectResource } from '@svc/contracts/project'

const Known = z.array(z.looseObject({ resourceKey: z.string(), path: z.string().nullable() }))

/**
 * Resources with the paths that the runner gave this run: the service knows which checkout is linked, and not in which
 * worktree of it the run works.
 */
export function withOwnPlaces<A extends object>(answer: A, env: NodeJS.ProcessEnv): A {
  if (!('projectResources' in answer)) return answer
  const paths = knownPaths(env['SVC_PROJECT_RESOURCES'])
  // both answers that have it have it as a list of resources
  const resources = answer.projectResources as ProjectResource[]
  const projectResources = resources.map((one) => ({
    ...one,
    path: paths.get(one.resourceKey) ?? one.path,
  }))
  return { ...answer, projectResources }
}

function knownPaths(text: string | undefined): Map<string, string | null> {
  try {
    const known = Known.safeParse(JSON.parse(text || '[]'))
    return new Map(known.data?.map(({ resourceKey, path }) => [resourceKey, path]))
  } catch {
    return new Map()
  }
}
