import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toClipboard } from '../../ui/to-clipboard.ts'
import { toCsv } from './csv.ts'
import { columns, type Sum } from './sums.ts'

interface ExportProps {
  /** What it is, for the names of its buttons and its file. */
  what: string
  heads: readonly string[]
  rows: readonly { heads: readonly string[]; sum: Sum }[]
}

/** The table that is shown, for a spreadsheet: what is not known is an empty field. */
export function Export({ what, heads, rows }: ExportProps) {
  const text = () =>
    toCsv([
      [...heads, ...columns.map(({ title }) => title)],
      ...rows.map(({ heads: cells, sum }) => [...cells, ...columns.map(({ raw }) => raw(sum))]),
    ])
  const download = () => {
    const url = URL.createObjectURL(new Blob([text()], { type: 'text/csv' }))
    const link = document.createElement('a')
    Object.assign(link, { href: url, download: `usage-${what.replaceAll(' ', '-')}.csv` })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <>
      <Button
        look="bare"
        onClick={() => void toClipboard(text())}
        aria-label={`Copy ${what} as CSV`}
      >
        <Icon name="copy" /> Copy
      </Button>
      <Button look="bare" onClick={download} aria-label={`Download ${what} as CSV`}>
        <Icon name="down" /> Download
      </Button>
    </>
  )
}
