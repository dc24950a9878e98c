/** The pages that a link with a secret leads to: whoever holds it may do what it was made for, once. */
export const linkPages = { invitation: '/invite', reset: '/reset' } as const
export type LinkKind = keyof typeof linkPages

/** The page of a webhook, below the service's own address. */
export function webhookPage(workspace: string, id: string): string {
  return `/w/${workspace}/webhooks/${id}`
}
