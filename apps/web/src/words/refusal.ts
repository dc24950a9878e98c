import { asSentence } from './as-sentence.ts'

/** What the service says behind a code that is for programs. */
export function withoutCode(text: string): string {
  return text.replace(/^[a-z]+(?:_[a-z]+)+: /, '')
}

/**
 * What the service says of a field begins with the field's name, for programs. A page shows it where the field is, which has
 * a label in words.
 */
export function refusalWords({ code, message }: { code: string; message: string }): string {
  const [, ofField] = /^[a-z][A-Za-z0-9_.]*: (?<words>.+)$/s.exec(message) ?? []
  return code === 'validation_failed' && ofField !== undefined ? asSentence(ofField) : message
}
