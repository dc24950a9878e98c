/** Something that a person can mend; its message is one sentence and says how. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

/** Errors of other packages whose message is such a sentence already. */
const spoken = [
  'Fault',
  'EmbeddedPostgresError',
  'ConfigurationError',
  'ListenError',
  'ServiceError',
]

export function sentenceOf(error: unknown): string | undefined {
  return error instanceof Error && spoken.includes(error.name) ? error.message : undefined
}
