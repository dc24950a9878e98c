/** Lines of a table, as a spreadsheet reads them: RFC 4180. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

/** What somebody else has named is no formula to a spreadsheet. */
function field(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) && !isNumber(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text)
}
