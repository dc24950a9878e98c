/** The pages that a link with a secret leads to: whoever holds it may do what it was made for, once. */
export const linkPages = { invitation: '/invite', reset: '/reset' } as const
export type LinkKind = keyof typeof linkPages

/** The pages of the web app that others lead to, below its workspace; missions, objectives and projects by the ids that people read. */
export const appPages = {
  needs: () => '/',
  project: (slug: string) => `/p/${part(slug)}`,
  queues: (slug: string) => `/p/${part(slug)}/queues`,
  mission: (id: string) => `/m/${part(id)}`,
  review: (mission: string) => `/m/${part(mission)}/review`,
  objective: (id: string) => `/o/${part(id)}`,
  run: (id: string) => `/runs/${part(id)}`,
  runners: () => '/runners',
  webhook: (id: string) => `/webhooks/${part(id)}`,
  tokens: () => '/access?tab=tokens',
} as const satisfies Record<string, (id: string) => string>

/** A page of a workspace, below the address of the service. */
export function appPath(workspace: string, page: string): string {
  return `/w/${part(workspace)}${page === '/' ? '' : page}`
}

/** The same, as a browser opens it. */
export function appAddress(service: string, workspace: string, page: string): string {
  return service.replace(/\/+$/, '') + appPath(workspace, page)
}

/** A display id is read as it is written, web:12.k7qd. */
function part(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':')
}
