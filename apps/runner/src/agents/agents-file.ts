import type { z } from 'zod'
import { DaemonError, daemonExitCode } from '../daemon/daemon-error.ts'
import { readIfThere } from '../files/durable-file.ts'
import { type Adapter, AdapterFile } from './adapter.ts'

/** The rows that a person has added. An error in them is reported with the file and the key that it stands under. */
export function readAgentsFile(file: string): Adapter[] {
  const text = readIfThere(file)
  if (text === undefined) return []
  const written = parseJson(file, text)
  const parsed = AdapterFile.safeParse(written)
  if (!parsed.success) {
    throw mistakes(
      file,
      parsed.error.issues.map((issue) => sentenceOf(issue, written)),
    )
  }
  const keys = parsed.data.map(({ key }) => key)
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index)
  if (twice.length > 0) throw mistakes(file, [`${twice.join(', ')} stands there twice`])
  return parsed.data
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw mistakes(file, [`it is not JSON (${error instanceof Error ? error.message : 'unread'})`])
  }
}

function sentenceOf({ path, message }: z.core.$ZodIssue, written: unknown): string {
  const [index, ...rest] = path
  if (typeof index !== 'number') return message
  const row: unknown = Array.isArray(written) ? written[index] : undefined
  const key = typeof row === 'object' && row !== null && 'key' in row ? row.key : undefined
  const name = typeof key === 'string' ? key : `row ${index + 1}`
  return `${[name, ...rest.map(String)].join('.')}: ${message}`
}

function mistakes(file: string, found: readonly string[]): DaemonError {
  return new DaemonError(
    daemonExitCode.configuration,
    `${file} cannot be used: ${found.join('; ')}. docs/agents.md shows what stands in it.`,
  )
}
