/** One program with its arguments, as a shell would start it. */
export interface SimpleCommand {
  words: Word[]
  /** The files that the command would redirect its output to. */
  writesTo: string[]
}

/** Null for a word whose value only a shell knows, such as a variable or a wildcard. */
export type Word = string | null

interface Reading {
  readonly text: string
  at: number
}

interface HereDocument {
  end: string
  isLiteral: boolean
  isIndented: boolean
}

class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood'
}

const blank = /[ \t]/
/** Where one command ends and another begins. */
const separator = /[;&|\n]/
const redirect = /(?:[0-9]|&)?(?:<<-?|>>|>\||>&|<&|<|>)/y
/**
 * A `$` behind which a shell reads more than the name of one variable: what it runs or computes there, other quotes, or a
 * line break that it takes away before it looks for one of these.
 */
const expansion = /\$(?:[([]|\\\n|\{(?!\w+\}))/y
/** In a line of a here-document: the same, or that it goes on in the next one, which may be the end. */
const expanded = new RegExp(`\`|\\\\$|${expansion.source}`)

/**
 * The commands of a line for a shell, in turn. Undefined where anything in it is not understood for certain, such as a
 * substitution, a group or a variable that is set: whoever judges by its words then cannot judge.
 */
export function parseShellCommand(text: string): SimpleCommand[] | undefined {
  const reading: Reading = { text, at: 0 }
  const commands: SimpleCommand[] = []
  const hereDocuments: HereDocument[] = []
  try {
    while (reading.at < text.length) {
      const command = readCommand(reading, hereDocuments)
      if (command !== undefined) commands.push(command)
      skipSeparators(reading, hereDocuments)
    }
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
  return hereDocuments.length > 0 ? undefined : commands
}

function readCommand(reading: Reading, hereDocuments: HereDocument[]): SimpleCommand | undefined {
  const command: SimpleCommand = { words: [], writesTo: [] }
  for (;;) {
    skipBlanks(reading)
    const next = reading.text[reading.at]
    if (next === undefined) break
    if (redirectAt(reading) !== '') readRedirect(reading, command, hereDocuments)
    else if (separator.test(next)) break
    else if (next === '#') skipComment(reading)
    else command.words.push(readWord(reading))
  }
  const [first] = command.words
  if (first === undefined && command.writesTo.length === 0) return undefined
  // what a variable in front changes for the program cannot be told from its words
  if (typeof first !== 'string' || /^[A-Za-z_]\w*\+?=/.test(first)) throw new NotUnderstood()
  return command
}

function skipBlanks(reading: Reading): void {
  for (;;) {
    const next = reading.text[reading.at] ?? ''
    if (next === '\\' && reading.text[reading.at + 1] === '\n') reading.at += 2
    else if (blank.test(next)) reading.at += 1
    else return
  }
}

function skipComment(reading: Reading): void {
  const end = reading.text.indexOf('\n', reading.at)
  reading.at = end === -1 ? reading.text.length : end
}

function skipSeparators(reading: Reading, hereDocuments: HereDocument[]): void {
  for (;;) {
    skipBlanks(reading)
    const next = reading.text[reading.at]
    if (next === undefined || !separator.test(next)) return
    reading.at += 1
    if (next !== '\n') continue
    for (const document of hereDocuments.splice(0)) skipHereDocument(reading, document)
  }
}

/** Skips a here-document, which is input of a command and no commands, but for substitutions that the shell runs in it. */
function skipHereDocument(reading: Reading, { end, isLiteral, isIndented }: HereDocument): void {
  while (reading.at < reading.text.length) {
    const lineEnd = reading.text.indexOf('\n', reading.at)
    const line = reading.text.slice(reading.at, lineEnd === -1 ? undefined : lineEnd)
    reading.at = lineEnd === -1 ? reading.text.length : lineEnd + 1
    if ((isIndented ? line.replace(/^\t+/, '') : line) === end) return
    if (!isLiteral && expanded.test(line)) break
  }
  throw new NotUnderstood()
}

function expandsAt(text: string, at: number): boolean {
  expansion.lastIndex = at
  return expansion.test(text)
}

function redirectAt({ text, at }: Reading): string {
  redirect.lastIndex = at
  return redirect.exec(text)?.[0] ?? ''
}

function readRedirect(
  reading: Reading,
  command: SimpleCommand,
  hereDocuments: HereDocument[],
): void {
  const operator = redirectAt(reading)
  reading.at += operator.length
  // a process in place of a file, or a text in place of one
  if (/[(<]/.test(reading.text[reading.at] ?? '')) throw new NotUnderstood()
  skipBlanks(reading)
  const from = reading.at
  const target = readWord(reading)
  if (target === null) throw new NotUnderstood()
  if (operator.includes('<<')) {
    const isLiteral = /['"\\]/.test(reading.text.slice(from, reading.at))
    hereDocuments.push({ end: target, isLiteral, isIndented: operator.endsWith('-') })
    return
  }
  const isCopy = operator.endsWith('&') && /^[0-9-]$/.test(target)
  if (operator.includes('>') && !isCopy && target !== '/dev/null') command.writesTo.push(target)
}

function readWord(reading: Reading): Word {
  const { text } = reading
  const from = reading.at
  let word = ''
  let isKnown = true
  for (;;) {
    const next = text[reading.at]
    if (next === undefined || blank.test(next) || separator.test(next) || /[<>]/.test(next)) break
    if (next === "'") word += readSingleQuoted(reading)
    else if (next === '"') {
      const quoted = readDoubleQuoted(reading)
      isKnown &&= quoted !== null
      word += quoted ?? ''
    } else if (next === '\\') {
      word += (text[reading.at + 1] ?? '').replace('\n', '')
      reading.at += 2
    } else {
      refuseSubstitution(text, reading.at)
      if (/[$*?[\]{}]/.test(next) || (next === '~' && reading.at === from)) isKnown = false
      word += next
      reading.at += 1
    }
  }
  if (reading.at === from || /^[{}!]$/.test(text.slice(from, reading.at))) throw new NotUnderstood()
  return isKnown ? word : null
}

/** Something else is run in its place, or the quotes mean more than they do elsewhere. */
function refuseSubstitution(text: string, at: number): void {
  const next = text[at] ?? ''
  const isSpecial = next === '$' && /["']/.test(text[at + 1] ?? '')
  if (isSpecial || expandsAt(text, at) || /[`()]/.test(next)) throw new NotUnderstood()
}

function readSingleQuoted(reading: Reading): string {
  const end = reading.text.indexOf("'", reading.at + 1)
  if (end === -1) throw new NotUnderstood()
  const word = reading.text.slice(reading.at + 1, end)
  reading.at = end + 1
  return word
}

function readDoubleQuoted(reading: Reading): Word {
  const { text } = reading
  let word = ''
  let isKnown = true
  for (let at = reading.at + 1; at < text.length; at += 1) {
    const next = text[at] ?? ''
    if (next === '"') {
      reading.at = at + 1
      return isKnown ? word : null
    }
    if (next === '`' || expandsAt(text, at)) break
    if (next === '$' && /[\w{@*#?!-]/.test(text[at + 1] ?? '')) isKnown = false
    const escaped = next === '\\' ? text[at + 1] : undefined
    if (escaped !== undefined && /[\\"$`\n]/.test(escaped)) {
      word += escaped.replace('\n', '')
      at += 1
    } else word += next
  }
  throw new NotUnderstood()
}
