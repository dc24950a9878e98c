import { asSentence } from './as-sentence.ts'

/** What the service says behind a code that is for programs. */
export function withoutCode(text: string): string {
  return text.replace(/^[a-z]+(?:_[a-z]+)+: /, '')
}

/** What a rule of the service says of a field begins with the field's name as programs have it, which no label on a page is. */
export function refusalWords({ code, message }: { code: string; message: string }): string {
  const [, ofField] = /^[a-z][A-Za-z0-9_.]*: (?<words>.+)$/s.exec(message) ?? []
  return code === 'validation_failed' && ofField !== undefined ? asSentence(ofField) : message
}
