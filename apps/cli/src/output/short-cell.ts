import { cutText } from '@svc/contracts/cut-text'

const most = 60

/** Of a sentence in a table: what is longer is cut there and said whole elsewhere. */
export function fitsCell(text: string): boolean {
  return text.length <= most
}

export function shortCell(text: string | undefined): string | undefined {
  if (text === undefined || fitsCell(text)) return text
  return `${cutText(text, most - 1).trimEnd()}…`
}
