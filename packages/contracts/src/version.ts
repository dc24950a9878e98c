/** The version of everything that is released together. */
export const version = '0.1.0'

/** The oldest command line and runner that the service answers: raised with a change that an older one would misread. */
export const oldestClient = '0.1.0'

/** In a call the version of who sends it, in an answer that of the service. */
export const versionHeader = 'x-svc-version'

/** Versions that differ in their last number alone are made for each other. What is no version says nothing. */
export function fitTogether(one: string, other: string): boolean {
  const [first, second] = [numbersOf(one), numbersOf(other)]
  if (first === undefined || second === undefined) return true
  return first[0] === second[0] && first[1] === second[1]
}

export function isOlder(one: string, than: string): boolean {
  const [first, second] = [numbersOf(one), numbersOf(than)]
  if (first === undefined || second === undefined) return false
  const different = first.findIndex((number, index) => number !== second[index])
  return different >= 0 && (first[different] ?? 0) < (second[different] ?? 0)
}

function numbersOf(text: string): number[] | undefined {
  return /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(text) ? text.split('.').map(Number) : undefined
}
