import { ServiceError } from '@svc/contracts/errors'
import { Slug } from '@svc/contracts/ids'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { slugOf } from '@svc/contracts/slug'
import type { StatusType } from '@svc/contracts/states'
import type { ProjectRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { newId } from '../common/ids.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { insertQueue } from '../run-queues/queries.ts'
import { recordProjectChange } from './record-change.ts'
import { viewProject } from '../entities/projects/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

const longestSlug = 40

/** What a new project starts with; people rename and reorder them, the types stay. Decision 32. */
const firstStatuses: readonly { label: string; type: StatusType }[] = [
  { label: 'Backlog', type: 'draft' },
  { label: 'In progress', type: 'execute' },
  { label: 'In review', type: 'review' },
  { label: 'Done', type: 'complete' },
  { label: 'Blocked', type: 'blocked' },
  { label: 'Cancelled', type: 'cancelled' },
]

export async function createProject(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'createProject'>,
): Promise<RouteOutput<'createProject'>> {
  authorize(actor, 'project:create')
  const slug = input.slug ?? slugFrom(input.name)
  return inTransaction(context, async (tx) => {
    const project = await insertProject(tx, actor, { ...input, slug })
    return { project: viewProject(project) }
  })
}

async function insertProject(
  tx: UnitOfWork,
  actor: Actor,
  input: { name: string; slug: string; defaultBranch: string },
): Promise<ProjectRow> {
  const project = await tx
    .insertInto('projects')
    .values({
      workspace_id: actor.workspaceId,
      id: newId(),
      slug: input.slug,
      name: input.name,
      default_branch: input.defaultBranch,
      created_by: actor.userId,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'slug']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!project) throw slugTaken(input.slug)
  const statuses = firstStatuses.map((status, index) => ({
    ...status,
    workspace_id: actor.workspaceId,
    project_id: project.id,
    id: newId(),
    position: index + 1,
  }))
  await tx.insertInto('project_statuses').values(statuses).execute()
  await insertQueue(tx, project, { name: 'Default', position: 1, createdBy: actor.userId })
  recordProjectChange(tx, project, 'create')
  return project
}

function slugTaken(slug: string): ServiceError {
  return new ServiceError(
    'already_exists',
    `A project with the slug ${slug} exists already. Use it, or choose another slug.`,
    { slug },
  )
}

function slugFrom(name: string): string {
  const slug = slugOf(name, longestSlug)
  if (!Slug.safeParse(slug).success) {
    throw validationFailed('slug', 'no slug can be made from this name; give one')
  }
  return slug
}
