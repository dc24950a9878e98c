/** `section`: heading of the spec and place under it, several joined by ` + `. `rule`: the rule in one sentence. */
export type Rule = { id: string; area: string; surfaces: string[]; section: string; rule: string }
export type Outcome = 'passed' | 'failed' | 'skipped'
export type Citation = { id: string; test: string; outcome: Outcome; inBrowser: boolean }
export type Coverage = {
  covered: Set<string>
  /** For each surface the rules that no test proves there. */
  open: Map<string, string[]>
  unknown: Citation[]
  unproven: Citation[]
}

/** Reads requirements.tsv: a line of column names, then one rule a line, tab-separated. */
export function parseRules(text: string): Rule[] {
  const [head = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  return rows.map((cells) => {
    const cell = (column: string) => cells[head.indexOf(column)] ?? ''
    return {
      id: cell('id'),
      area: cell('area'),
      surfaces: cell('surface').split(','),
      section: cell('section'),
      rule: cell('rule'),
    }
  })
}

/** The ids that `verifies` put at the end of a title. */
export function citedIds(title: string): string[] {
  const cited = /(?: \[[\w.-]+\])+$/.exec(title)?.[0] ?? ''
  return Array.from(cited.matchAll(/\[([\w.-]+)\]/g), (match) => match[1] ?? '')
}

/**
 * A rule is proven when a test that cites it passed and none that cites it failed; for the surface `web` such a test has
 * to have driven a browser. It is covered when it is proven for each of its surfaces.
 */
export function judge(rules: readonly Rule[], citations: readonly Citation[]): Coverage {
  const known = new Set(rules.map((rule) => rule.id))
  const idsOf = (are: (citation: Citation) => boolean) =>
    new Set(citations.filter(are).map(({ id }) => id))
  const failed = idsOf(({ outcome }) => outcome === 'failed')
  const passed = idsOf(({ id, outcome }) => outcome === 'passed' && !failed.has(id))
  const shown = idsOf(({ outcome, inBrowser }) => outcome === 'passed' && inBrowser)
  const isProven = (id: string, surface: string) =>
    passed.has(id) && (surface !== 'web' || shown.has(id))
  const open = new Map<string, string[]>()
  for (const { id, surfaces } of rules) {
    for (const surface of surfaces.filter((one) => !isProven(id, one))) {
      open.set(surface, [...(open.get(surface) ?? []), id])
    }
  }
  const openIds = new Set([...open.values()].flat())
  return {
    covered: new Set([...known].filter((id) => !openIds.has(id))),
    open,
    unknown: citations.filter(({ id }) => !known.has(id)),
    unproven: citations.filter(
      ({ id, outcome }) => known.has(id) && !passed.has(id) && outcome !== 'passed',
    ),
  }
}

/** One line an area and a line of totals, in columns. */
export function coverageTable(rules: readonly Rule[], covered: ReadonlySet<string>): string {
  const areas = Map.groupBy(rules, (rule) => rule.area)
  const width = Math.max(...Array.from(areas.keys(), (area) => area.length), 'total'.length)
  const row = (name: string, ...cells: (string | number)[]) =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(7))].join('  ')
  const counted = (name: string, group: readonly Rule[]) => {
    const count = group.filter((rule) => covered.has(rule.id)).length
    return row(name, count, group.length - count, group.length)
  }
  const sorted = [...areas].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [
    row('rules', 'covered', 'open', 'total'),
    ...sorted.map(([area, group]) => counted(area, group)),
    counted('total', rules),
  ].join('\n')
}

/** One line a surface that has open rules, with these. */
export function openBySurface(open: ReadonlyMap<string, readonly string[]>): string {
  const sorted = [...open].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([surface, ids]) => `open for ${surface}: ${ids.join(', ')}`).join('\n')
}

/** One line for each citation that must be corrected. */
export function citationFaults({ unknown, unproven }: Coverage): string[] {
  return [
    ...unknown.map(({ id, test }) => `no rule has the id ${id}; correct it in the test "${test}"`),
    ...unproven.map(
      ({ id, test, outcome }) => `the rule ${id} is not proven: "${test}" was ${outcome}`,
    ),
  ]
}
