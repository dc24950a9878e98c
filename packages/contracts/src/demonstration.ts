/** The project that `npm start` makes to show what there is: nobody has set it up. Decision 151. */
export const demonstration = { slug: 'demo', name: 'Demonstration' } as const

export function isDemonstration({ slug, name }: { slug: string; name: string }): boolean {
  return slug === demonstration.slug && name === demonstration.name
}
