import type { Caller } from './callers.ts'

export interface Row {
  name: string
  /** In the order of the callers. */
  answers: readonly string[]
}

/** The codes that most cells hold, by the status that they travel with. Any other stands as it is. */
const marks: Readonly<Record<string, string>> = {
  unauthenticated: '401',
  forbidden: '403',
  not_found: '404',
}

const legend = `What each operation answers to each kind of caller. Renewed by \`npm run test:large -- tests/access -u\`; read what changes.

ok: done. 401: unauthenticated, 403: forbidden, 404: not_found. Any other code stands as it is.
Each is asked about things of the caller's own, with a request that is good, so that only the right to it is in question.
`

/** A line an operation, a column a kind of caller, a block a group of them. */
export function renderMatrix(callers: readonly Caller[], rows: readonly Row[]): string {
  const groups = Map.groupBy(callers.keys(), (column) => callers[column]?.group ?? '')
  const nameWidth = Math.max(...rows.map(({ name }) => name.length))
  const line = (name: string, blocks: readonly (readonly string[])[]) =>
    [
      name.padEnd(nameWidth),
      ...blocks.map((cells) => cells.map((text) => text.padEnd(4)).join(' ')),
    ]
      .join(' | ')
      .trimEnd()
  const columns = [...groups.values()].map((found) => [...found])
  const ofColumns = (tell: (column: number) => string) => columns.map((one) => one.map(tell))
  const heads = ofColumns((column) => callers[column]?.head ?? '')
  const titles = columns.map((found, index) => {
    const width = found.length * 5 - 1
    return [[...groups.keys()][index]?.padEnd(width) ?? '']
  })
  const meanings = [...new Set(callers.map(({ head, name }) => `${head}: ${name}`))].join(', ')
  return [
    legend,
    `${meanings}.`,
    '',
    line('', titles),
    line('', heads),
    ...rows.map(({ name, answers }) =>
      line(
        name,
        ofColumns((column) => marks[answers[column] ?? ''] ?? answers[column] ?? ''),
      ),
    ),
    '',
  ].join('\n')
}
