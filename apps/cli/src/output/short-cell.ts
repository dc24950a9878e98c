import { cutText } from '@svc/contracts/cut-text'

const most = 60

/** Whether a sentence fits into a cell of a table. A longer one is cut there and printed in full elsewhere. */
export function fitsCell(text: string): boolean {
  return text.length <= most
}

export function shortCell(text: string | undefined): string | undefined {
  if (text === undefined || fitsCell(text)) return text
  return `${cutText(text, most - 1).trimEnd()}…`
}
