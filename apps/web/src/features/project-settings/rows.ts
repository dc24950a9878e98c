/** Some fields of a form that come several times, by their names. */
export type Row<F extends string> = Readonly<Record<F, string>>

/** The same rows are always the same text. */
export function writeRows<F extends string>(fields: readonly F[], rows: readonly Row<F>[]): string {
  return JSON.stringify(rows.map((row) => fields.map((field) => row[field])))
}

/** What is no row, as a draft of another version may be, is left out. */
export function readRows<F extends string>(fields: readonly F[], text: string): Row<F>[] {
  return listIn(text).map((values) => {
    const given = fields.map((field, at) => [field, textOf(values[at])] as const)
    // the entries of a row, under the names of its fields
    return Object.fromEntries(given) as Row<F>
  })
}

function listIn(text: string): unknown[][] {
  try {
    const given: unknown = JSON.parse(text)
    return Array.isArray(given) ? given.filter((one) => Array.isArray(one)) : []
  } catch {
    return []
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Nothing is written into it: it stands for nothing. */
export function isBlank(row: Row<string>): boolean {
  return Object.values(row).every((text) => text.trim() === '')
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
