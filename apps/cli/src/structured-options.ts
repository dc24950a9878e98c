import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { exampleOption } from '@svc/contracts/agent-examples'
import type { Command } from 'commander'
import { usageFailure } from './output/failure.ts'

type Options = Record<string, unknown>

/** Two spellings of one option: `--<name>-json <json>` and `--<name>-file <path>`, where `-` is stdin. */
export function structuredOption(command: Command, name: string, description: string): Command {
  const example = exampleOption(name)
  return command
    .option(`--${name}-json <json>`, `${description}, as JSON`)
    .option(`--${name}-file <path>`, `the same from a file, - for stdin`)
    .addHelpText('after', example ? `\nAs in:\n  ${example}` : '')
}

export async function readStructured(options: Options, name: string): Promise<unknown> {
  const given = await structuredText(options, name)
  if (given === undefined) return undefined
  try {
    return JSON.parse(given)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const isFile = options[camelCase(`${name}-json`)] === undefined
    throw usageFailure(`--${name}-${isFile ? 'file' : 'json'} is not JSON: ${detail}`)
  }
}

/** The same of advice, which refuses no call: what is not JSON goes as the text that it is, and the answer warns. */
export async function readAdvice(options: Options, name: string): Promise<unknown> {
  const given = await structuredText(options, name)
  if (given === undefined) return undefined
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

function structuredText(options: Options, name: string): Promise<string | undefined> {
  const json = options[camelCase(`${name}-json`)]
  const file = options[camelCase(`${name}-file`)]
  return oneText(json, file, `--${name}-json`, `--${name}-file`)
}

/** A text that is given itself, by file, or by stdin; undefined when by none. */
export async function oneText(
  given: unknown,
  file: unknown,
  givenName: string,
  fileName: string,
): Promise<string | undefined> {
  if (given !== undefined && file !== undefined) {
    throw usageFailure(`Give either ${givenName} or ${fileName}, not both.`)
  }
  if (typeof file !== 'string')
    return typeof given === 'string' ? ownWords(given, givenName) : undefined
  if (file === '-') return text(process.stdin)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw usageFailure(`${fileName} ${file} cannot be read (${code}): check the path.`)
  }
}

/** What help and messages write in the place of a text is none: it was pasted along. */
export function ownWords(text: string, name: string): string {
  if (!/^\s*(?:…|<[^<>]*>)\s*$/.test(text)) return text
  throw usageFailure(`${text.trim()} stands for your own words: give them as ${name}.`)
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
