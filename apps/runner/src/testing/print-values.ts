/** Hostile values in every context of a command in which one may stand, and what a shell prints of them. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { type PlaceholderValue, fillCommand } from '../plan/placeholders.ts'

export const shells = ['sh', 'bash', 'dash'] as const
export type Shell = (typeof shells)[number]

const template = String.raw`printf '%s\0' {X} a{X}b "{X}" "a{X}b" '{X}' 'a{X}b' {L} "$(printf '%s.' {X})" "a$(printf '%s.' "{X}" '{X}')b"`

const characters = Array.from(`ab'"\\$\`(){}!#*;&|<>~ \n\t€😀-=`)
const odd = fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 })
const any = fc.string({ unit: 'grapheme', maxLength: 12 }).map((one) => one.replaceAll('\0', ''))
export const valuesInOneCall = 40
const fewInOneCall = { minLength: valuesInOneCall, maxLength: valuesInOneCall }

/** Holds where the shell prints each value's own bytes. */
export const printsItsOwn = (shell: Shell) =>
  fc.property(fc.array(fc.oneof(odd, any), fewInOneCall), (values) => {
    const words = printed(shell, values.map(commandOf).join('\n'))
    return words.join('\0') === values.flatMap(expectedWords).join('\0')
  })

export function commandOf(value: string): string {
  const values = { X: value, L: [value, `a${value}`] } satisfies Record<string, PlaceholderValue>
  return fillCommand(template, new Map<string, PlaceholderValue>(Object.entries(values)))
}

export function expectedWords(value: string): string[] {
  const bare = [value, `a${value}b`]
  return [...bare, ...bare, ...bare, value, `a${value}`, `${value}.`, `a${value}.${value}.b`]
}

/** The words that the command prints, each with a NUL behind it. */
export function printed(
  shell: string,
  command: string,
  env: Record<string, string> = {},
): string[] {
  const text = execFileSync(shell, ['-c', command], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text.split('\0').slice(0, -1)
}
