const note = 'Printed from the sources by `npm test -- tests/docs -u`; do not edit.'

export function page(title: string, ...parts: string[]): string {
  return `${[`# ${title}`, note, ...parts].join('\n\n')}\n`
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const code = (text: string | number) => `\`${text}\``
export const codes = (list: readonly string[]) => list.map(code).join(', ')
