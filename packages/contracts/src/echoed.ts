import { cutText } from './cut-text.ts'

const most = 200

/** What somebody sent, as far as a refusal repeats it. */
export function echoed(text: string): string {
  return text.length <= most ? text : `${cutText(text, most)}…`
}
