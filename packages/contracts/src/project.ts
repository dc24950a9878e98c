import { z } from 'zod'
import { CloneUrl } from './clone-url.ts'
import { BranchName, ResourceKey, Revision, Slug, Timestamp, Uuid } from './ids.ts'
import { ConnectionState, ResourcePermission, StatusType } from './states.ts'

export const Project = z.strictObject({
  id: Uuid,
  slug: Slug,
  name: z.string(),
  defaultBranch: z.string(),
  useWorktrees: z.boolean(),
  maxRuntimeMinutes: z.int().nullable(),
  revision: Revision,
  createdAt: Timestamp,
})
export type Project = z.infer<typeof Project>

export const ProjectStatus = z.strictObject({
  id: Uuid,
  type: StatusType,
  label: z.string(),
  position: z.int(),
})
export type ProjectStatus = z.infer<typeof ProjectStatus>

/** `path` is set only where the resource is checked out on the machine that asks. */
export const ProjectResource = z.strictObject({
  resourceKey: ResourceKey,
  permission: ResourcePermission,
  primary: z.boolean(),
  state: ConnectionState,
  path: z.string().nullable(),
  /** What its branches are cut from; the project's where the resource has none of its own. */
  defaultBranch: BranchName.optional(),
  /** Where an ephemeral runner clones it from; the others take what is linked on their machine. */
  cloneUrl: CloneUrl.optional(),
})
export type ProjectResource = z.infer<typeof ProjectResource>
