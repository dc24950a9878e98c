import type { ProjectResource } from '@svc/contracts/project'
import type { RouteRequest } from '@svc/contracts/rest'
import { type Row, readRows, writeRows } from './rows.ts'

const fields = ['key', 'permission', 'branch', 'primary', 'cloneUrl'] as const

/** How a resource is to be linked; as a text it is the draft. */
export type ResourceForm = Row<(typeof fields)[number]>

const empty: ResourceForm = { key: '', permission: 'rw', branch: '', primary: '', cloneUrl: '' }

export function formOf(resource: ProjectResource): ResourceForm {
  const { resourceKey, permission, primary, defaultBranch, cloneUrl } = resource
  return {
    key: resourceKey,
    permission,
    branch: defaultBranch ?? '',
    primary: primary ? 'yes' : '',
    cloneUrl: cloneUrl ?? '',
  }
}

export function writeForm(form: ResourceForm): string {
  return writeRows(fields, [form])
}

export function readForm(text: string): ResourceForm {
  return readRows(fields, text)[0] ?? empty
}

/** An empty branch is that of the project, an empty address none. */
export function requestOf(
  projectId: string,
  { key, permission, branch, primary, cloneUrl }: ResourceForm,
): RouteRequest<'linkProjectResource'> {
  const isReadOnly = permission === 'ro'
  return {
    id: projectId,
    resourceKey: key.trim(),
    permission: isReadOnly ? 'ro' : 'rw',
    defaultBranch: branch.trim() || null,
    cloneUrl: cloneUrl.trim() || null,
    // the first that may be written to becomes the primary one by itself
    ...((primary !== '' || isReadOnly) && { primary: primary === 'yes' && !isReadOnly }),
  }
}
