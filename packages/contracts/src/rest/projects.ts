import { z } from 'zod'
import { CloneUrl } from '../clone-url.ts'
import { AgentKey, BranchName, ProjectRef, ResourceKey, Revision, Slug, Uuid } from '../ids.ts'
import { ProjectLaunchSettings, launchSettings } from '../launch-settings.ts'
import { limits } from '../limits.ts'
import { ListedResource } from '../listed-resource.ts'
import { Title } from '../objective.ts'
import { PreviewedLaunch } from '../previewed-launch.ts'
import { Project, ProjectResource, ProjectStatus } from '../project.ts'
import { ResourcePermission, StatusType } from '../states.ts'
import type { EndpointContract } from './endpoint.ts'
import { deviceHeaders, projectParams } from './parts.ts'

const projectAnswer = z.strictObject({ project: Project })
const launchSettingsAnswer = z.strictObject({ launchSettings: ProjectLaunchSettings })
/** With the project, whose revision every change of its statuses raises. */
const statusAnswer = z.strictObject({ status: ProjectStatus, project: Project })

export const projectsEndpoints = {
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    permission: 'project:read',
    answer: z.strictObject({ projects: z.array(Project) }),
    status: 200,
  },
  createProject: {
    method: 'POST',
    path: '/api/projects',
    permission: 'project:create',
    body: z.strictObject({
      name: Title,
      slug: Slug.optional(),
      defaultBranch: BranchName.default('main'),
    }),
    answer: projectAnswer,
    status: 201,
    repeat: 'keyed',
  },
  /** Before `:id`, which would take `resolve` for a slug. */
  resolveProject: {
    method: 'GET',
    path: '/api/projects/resolve',
    permission: 'project:read',
    query: z.strictObject({ query: z.string().trim().max(200).optional() }),
    answer: z.strictObject({ project: Project.optional(), candidates: z.array(Project) }),
    status: 200,
  },
  getProject: {
    method: 'GET',
    path: '/api/projects/:id',
    permission: 'project:read',
    params: projectParams,
    answer: projectAnswer,
    status: 200,
  },
  updateProject: {
    method: 'PATCH',
    path: '/api/projects/:id',
    permission: 'project:update',
    params: projectParams,
    body: z.strictObject({
      name: Title.optional(),
      defaultBranch: BranchName.optional(),
      useWorktrees: z.boolean().optional(),
      /** null: as long as it takes */
      maxRuntimeMinutes: z.int().min(1).max(limits.runtimeMinutesMax).nullable().optional(),
      expectedRevision: Revision.optional(),
    }),
    answer: projectAnswer,
    status: 200,
    repeat: 'keyed',
  },
  getLaunchSettings: {
    method: 'GET',
    path: '/api/projects/:id/launch-settings',
    permission: 'execution_request:claim',
    params: projectParams,
    answer: launchSettingsAnswer,
    status: 200,
  },
  /** What is given replaces what was there; the rest stays. */
  updateLaunchSettings: {
    method: 'PATCH',
    path: '/api/projects/:id/launch-settings',
    permission: 'project:configure_launch',
    params: projectParams,
    body: z.strictObject({
      ...z.strictObject(launchSettings).partial().shape,
      expectedRevision: Revision.optional(),
    }),
    answer: launchSettingsAnswer,
    status: 200,
    repeat: 'keyed',
  },
  /**
   * What a launch with this agent would be made with: with the settings as they are, and with what is given in their place.
   * Nothing is saved.
   */
  previewLaunchSettings: {
    method: 'POST',
    path: '/api/projects/:id/launch-settings/preview',
    permission: 'execution_request:claim',
    params: projectParams,
    body: z.strictObject({
      ...z.strictObject(launchSettings).partial().shape,
      agent: AgentKey,
    }),
    answer: z.strictObject({ before: PreviewedLaunch, after: PreviewedLaunch }),
    status: 200,
    repeat: 'natural',
  },
  listProjectStatuses: {
    method: 'GET',
    path: '/api/projects/:id/statuses',
    permission: 'project:read',
    params: projectParams,
    answer: z.strictObject({ project: Project, statuses: z.array(ProjectStatus) }),
    status: 200,
  },
  createProjectStatus: {
    method: 'POST',
    path: '/api/projects/:id/statuses',
    permission: 'project:update',
    params: projectParams,
    body: z.strictObject({ label: Title, type: StatusType }),
    answer: statusAnswer,
    status: 201,
    repeat: 'keyed',
  },
  renameProjectStatus: {
    method: 'PATCH',
    path: '/api/projects/:id/statuses/:statusId',
    permission: 'project:update',
    params: z.strictObject({ id: ProjectRef, statusId: Uuid }),
    /** `expectedRevision`, here and below, is the project's. */
    body: z.strictObject({ label: Title, expectedRevision: Revision.optional() }),
    answer: statusAnswer,
    status: 200,
    repeat: 'keyed',
  },
  deleteProjectStatus: {
    method: 'DELETE',
    path: '/api/projects/:id/statuses/:statusId',
    permission: 'project:update',
    params: z.strictObject({ id: ProjectRef, statusId: Uuid }),
    /** Where its missions go; without it one that has missions stays. */
    query: z.strictObject({
      moveTo: Uuid.optional(),
      expectedRevision: z.coerce.number().int().min(1).optional(),
    }),
    answer: z.strictObject({ moved: z.int(), project: Project }),
    status: 200,
    repeat: 'keyed',
    slow: true,
  },
  orderProjectStatuses: {
    method: 'PUT',
    path: '/api/projects/:id/statuses/order',
    permission: 'project:update',
    params: projectParams,
    body: z.strictObject({
      statusIds: z.array(Uuid).min(1).max(limits.statusesPerProject),
      expectedRevision: Revision.optional(),
    }),
    answer: z.strictObject({ statuses: z.array(ProjectStatus), project: Project }),
    status: 200,
    repeat: 'keyed',
  },
  listProjectResources: {
    method: 'GET',
    path: '/api/projects/:id/resources',
    permission: 'project:read',
    params: projectParams,
    headers: deviceHeaders,
    answer: z.strictObject({ resources: z.array(ListedResource) }),
    status: 200,
  },
  linkProjectResource: {
    method: 'POST',
    path: '/api/projects/:id/resources',
    permission: 'project:update',
    params: projectParams,
    body: z.strictObject({
      resourceKey: ResourceKey,
      permission: ResourcePermission.default('rw'),
      primary: z.boolean().optional(),
      /** Left out, the one that was recorded stays; null: the project's. */
      defaultBranch: BranchName.nullable().optional(),
      /** Left out, the one that was recorded stays; null: none. */
      cloneUrl: CloneUrl.nullable().optional(),
    }),
    answer: z.strictObject({ resource: ProjectResource, reused: z.boolean() }),
    status: 201,
    repeat: 'keyed',
    reusedStatus: 200,
  },
  unlinkProjectResource: {
    method: 'DELETE',
    path: '/api/projects/:id/resources/:key',
    permission: 'project:update',
    repeat: 'keyed',
    params: z.strictObject({ id: ProjectRef, key: ResourceKey }),
    answer: 'none',
    status: 204,
  },
} as const satisfies Record<string, EndpointContract>
