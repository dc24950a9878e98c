import { cutText } from '@svc/contracts/cut-text'

// oxlint-disable no-control-regex -- control characters are what is looked for
const terminalSequence =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]|\u009b[0-?]*[ -/]*[@-~]/g
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Text of others without what a reader cannot see: terminal sequences, control, zero-width and direction marks. */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(terminalSequence, '')
    .replaceAll(control, '')
    .replaceAll(invisible, '')
    .toWellFormed()
}

/** Cuts a text to so many characters at most, with a word when something was cut. */
export function shortenText(text: string, characters: number): string {
  if (text.length <= characters) return text
  return `${cutText(text, characters)} … [cut]`
}
