/** Of which projects the wall is, by their slugs: `?p=web,api`. Undefined: of all. */
export function projectsOf(search: string): readonly string[] | undefined {
  const named = (new URLSearchParams(search).get('p') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return named.length === 0 ? undefined : [...new Set(named)]
}
