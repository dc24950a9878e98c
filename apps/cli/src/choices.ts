import { Option } from 'commander'

/** Options whose values are known: said in the help, completed by a shell, and refused where they must be one of them. */
export function oneOf(
  flags: string,
  description: string,
  values: readonly string[],
  otherwise?: string,
): Option {
  const option = new Option(flags, description).choices(values)
  return otherwise === undefined ? option : option.default(otherwise)
}

export type Switch = 'on' | 'off'

export function onOrOff(flags: string, description: string): Option {
  return oneOf(flags, description, ['on', 'off'] satisfies Switch[])
}

/** May be repeated; the service judges what is none of these. */
export function someOf(flags: string, description: string, values: readonly string[]): Option {
  return oneOf(flags, description, values).argParser(appendTo).default([])
}

/** An option that takes several choices in one text with commas; the service judges what is none of them. */
export function commaListOf(flags: string, description: string, values: readonly string[]): Option {
  return oneOf(flags, description, values).argParser((given) => given)
}

export function appendTo(value: string, previous: string[]): string[] {
  return [...previous, value]
}
