import { LaunchFailure } from '../launch-failure.ts'
import { type FoundPlaceholder, findPlaceholders } from './quoting.ts'

/** What a placeholder stands for; a list becomes one word for each of its items where words are counted. */
export type PlaceholderValue = string | readonly string[]
export type Catalog = ReadonlyMap<string, PlaceholderValue>

// spec: Launch payload assembly, item 4
/** The command with its placeholders quoted for the context in which each stands. One pass; unknown names stay. */
export function fillCommand(command: string, catalog: Catalog): string {
  let filled = ''
  let from = 0
  for (const found of findPlaceholders(command)) {
    const value = catalog.get(found.name)
    if (value === undefined) continue
    filled += command.slice(from, found.start) + quote(found, value)
    from = found.end
  }
  return filled + command.slice(from)
}

/** The value of an environment variable: no shell reads it, so values enter as they are. */
export function fillVariable(text: string, catalog: Catalog): string {
  return text.replaceAll(/\{([A-Z0-9_]+)\}/g, (written, name: string) => {
    const value = catalog.get(name)
    if (value === undefined) return written
    refuseNul(name, value)
    return joined(value)
  })
}

function quote({ name, context }: FoundPlaceholder, value: PlaceholderValue): string {
  refuseNul(name, value)
  if (typeof context === 'object') {
    throw badPlaceholder(`{${name}} cannot stand ${context.refused}: use "$${name}" there instead.`)
  }
  if (context === 'double') return joined(value).replaceAll(/[\\"$`]/g, '\\$&')
  if (context === 'single') return joined(value).replaceAll("'", `'\\''`)
  return [value]
    .flat()
    .map((item) => `'${item.replaceAll("'", `'\\''`)}'`)
    .join(' ')
}

function joined(value: PlaceholderValue): string {
  return typeof value === 'string' ? value : value.join(' ')
}

function refuseNul(name: string, value: PlaceholderValue): void {
  if (joined(value).includes('\0')) {
    throw badPlaceholder(`The value of {${name}} holds a NUL character: no command can carry it.`)
  }
}

function badPlaceholder(message: string): LaunchFailure {
  return new LaunchFailure('bad_placeholder', message, 'prepare')
}
