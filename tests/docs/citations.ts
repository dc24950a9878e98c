/** What comments may cite; read from the pages that a reader would open. */
export interface Citable {
  /** Headings of the spec, each with the places that it has. */
  places: ReadonlyMap<string, ReadonlySet<string>>
  decisions: ReadonlySet<string>
  /** Numbers of the rows of States and transitions. */
  rows: ReadonlySet<string>
  rules: ReadonlySet<string>
}

/** The comments of a source, consecutive lines as one text. `//` and `--` need a space behind them. */
export function commentsOf(text: string): string[] {
  const found = text.matchAll(
    /(?<=^|[\s(])(?:\/\*[\s\S]*?\*\/|(?:(?:\/\/|--) .*(?:\n[ \t]*(?=(?:\/\/|--) ))?)+)/gm,
  )
  return Array.from(found, ([comment]) =>
    comment
      .replace(/^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/|--)|\*\/$/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

/** What a text cites and nobody could look up. */
export function unresolved(text: string, citable: Citable): string[] {
  const spec = /\bspec: (.+?)(?=[.:](?:\s|$)|$)/g
  const places = Array.from(text.matchAll(spec), ([, cited = '']) => cited.split('; ')).flat()
  const rest = text.replace(spec, '')
  return [
    ...places.filter((cited) => !isPlace(cited, citable)).map((cited) => `spec: ${cited}`),
    ...numbersAfter('decision', rest)
      .filter((number) => !citable.decisions.has(number))
      .map((number) => `decision ${number}`),
    ...numbersAfter('row', rest)
      .filter((number) => !citable.rows.has(number))
      .map((number) => `row ${number}`),
    ...Array.from(rest.matchAll(/\brules? `?([a-z]+\.[a-z][\w.-]*\w)/g), ([, id = '']) => id)
      .filter((id) => !citable.rules.has(id))
      .map((id) => `rule ${id}`),
  ]
}

/** `Heading`, `Heading, row 2`, `Heading, rows 2 to 4`, or with the first words of a longer place. */
function isPlace(cited: string, { places }: Citable): boolean {
  const [heading = '', ...rest] = cited.split(', ')
  const known = places.get(heading)
  if (known === undefined) return false
  const place = rest.join(', ')
  if (place === '') return true
  const numbered = /^(row|item)s? [0-9]/.exec(place)
  if (numbered) {
    const [, kind = ''] = numbered
    return numbersAfter(kind, place).every((number) => known.has(`${kind} ${number}`))
  }
  return [...known].some((one) => one === place || one.startsWith(`${place} `))
}

/** The numbers of `row 8`, `Rows 9 and 10`, `decisions 5a, 42a`. */
function numbersAfter(word: string, text: string): string[] {
  const list = new RegExp(`\\b${word}s? (\\d+[a-z]?\\b(?:(?:, | and | to )\\d+[a-z]?\\b)*)`, 'gi')
  return Array.from(text.matchAll(list), ([, numbers = '']) =>
    numbers.split(/, | and | to /),
  ).flat()
}

/** The fragments that a page of Markdown answers to. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = headingsOf(markdown).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set(anchors)
}

export function headingsOf(markdown: string): string[] {
  return Array.from(withoutCode(markdown).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading)
}

/** Where the links of a page of Markdown lead, those to other hosts left out. */
export function linksOf(markdown: string): string[] {
  const links = withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)
  return Array.from(links, ([, target = '']) => target).filter((it) => !/^[a-z]+:/.test(it))
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
}
