/** What of the list the address asks for: `?whose=all&project=web`. */
export interface Asked {
  whose: 'mine' | 'all'
  /** Its slug. */
  project: string | undefined
  /** A question that a step of the service leads to, by its id. */
  question: string | undefined
}

export function readAsked(search: string): Asked {
  const given = new URLSearchParams(search)
  const named = (name: string) => given.get(name) || undefined
  return {
    whose: given.get('whose') === 'all' ? 'all' : 'mine',
    project: named('project'),
    question: named('question'),
  }
}

/** The query of the address for it; nothing stands there for what is so without it. */
export function searchOf({
  whose,
  project,
}: Pick<Asked, 'whose' | 'project'>): Record<string, string> {
  return {
    ...(whose === 'all' && { whose }),
    ...(project !== undefined && { project }),
  }
}
