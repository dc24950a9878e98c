/** The pages that a link with a secret leads to: whoever holds it may do what it was made for, once. */
export const linkPages = { invitation: '/invite', reset: '/reset' } as const
export type LinkKind = keyof typeof linkPages
