/** The service says its reasons as parts of a sentence; an id keeps its small letters. */
export function asSentence(text: string): string {
  const beginsWithId = /^\S+:\d/.test(text)
  const begun = beginsWithId ? text : text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?)]$/.test(begun) ? begun : `${begun}.`
}
