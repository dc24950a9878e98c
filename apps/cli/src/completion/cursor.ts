import type { Argument, Command, Option } from 'commander'

/** Where the cursor stands, as the words before it say. */
export interface Cursor {
  readonly command: Command
  /** What was given so far, by what the help calls it, as in `mission`, and by option, as in `token-file`. */
  readonly given: ReadonlyMap<string, string>
  /** The option or argument whose value stands at the cursor, where one may. */
  readonly wanted: Option | Argument | undefined
  /** No command was meant by a word that is none. */
  readonly takesCommands: boolean
  /** Neither an option's value stands there, nor anything behind `--`. */
  readonly takesOptions: boolean
}

/** Reads the words as commander does. */
export function cursorAfter(program: Command, words: readonly string[]): Cursor {
  const given = new Map<string, string>()
  let command = program
  let waiting: Option | undefined
  let isOpen = true
  let count = 0
  const give = (option: Option, value: string) =>
    given.set(nameOf(option), value).set(option.name(), value)
  for (const word of words) {
    if (waiting) {
      give(waiting, word)
      waiting = undefined
    } else if (isOpen && word === '--') {
      isOpen = false
    } else if (isOpen && word.startsWith('-')) {
      const { option, value } = readOption(command, word)
      if (option && value !== undefined) give(option, value)
      else if (option?.required) waiting = option
    } else {
      const argument = argumentAt(command, count)
      if (argument) given.set(argument.name(), word)
      const next = command.commands.find((one) => one.name() === word)
      if (next) command = next
      else count += 1
    }
  }
  const wanted = waiting ?? argumentAt(command, count)
  const takesOptions = isOpen && waiting === undefined
  return { command, given, wanted, takesCommands: count === 0, takesOptions }
}

/** `--name` or `--name=value`, where the command or one above it has such an option. */
export function readOption(command: Command, word: string) {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? []
  return { name, value, option: findOption(command, name) }
}

function findOption(command: Command, name: string): Option | undefined {
  const own = command.options.find(({ long, short }) => name === long || name === short)
  return own ?? (command.parent ? findOption(command.parent, name) : undefined)
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[index] ?? (last?.variadic ? last : undefined)
}

/** What the help calls its value: `mission` of `--mission <mission>`, and of an argument `<mission>`. */
export function nameOf(wanted: Option | Argument): string {
  if (!('flags' in wanted)) return wanted.name()
  return /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(wanted.flags)?.[1] ?? ''
}
