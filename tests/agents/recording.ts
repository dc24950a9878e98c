import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Usage } from '@svc/contracts/usage'
import { z } from 'zod'

/** Stands for the folder in which the tool worked. */
export const ownFolder = '{cwd}'

const Action = z.union([
  z.strictObject({ run: z.string() }),
  z.strictObject({ write: z.string(), content: z.string() }),
])

/** A line that the tool printed, also to its standard error, or what it did between two of them. */
const Part = z.union([z.string(), z.strictObject({ err: z.string() }), Action])
export type Part = z.infer<typeof Part>

const ProcessRecording = z.strictObject({ exitCode: z.int(), parts: z.array(Part) })
export type ProcessRecording = z.infer<typeof ProcessRecording>

/** Of one that refuses: never seen from the maker's server, and so with what it was written after. */
const RefusalRecording = ProcessRecording.extend({ source: z.string(), became: z.string() })

export type Refused = z.infer<typeof RefusalRecording>

/** What a tool of that version printed when `npm run agents` drove it, with long texts cut, and what came of it. */
const Recording = z.strictObject({
  agent: z.string(),
  title: z.string(),
  package: z.string(),
  version: z.string(),
  on: z.iso.date(),
  /** Options of the adapter's row that the tool does not know. */
  unknownOptions: z.array(z.string()),
  figures: z.strictObject({
    startSeconds: z.number(),
    resumedSeconds: z.number(),
    agentMegabytes: z.number(),
    ownMegabytes: z.number(),
  }),
  /** Of each of the two runs, as the service has it. */
  usage: z.strictObject({ first: Usage.nullable(), resumed: Usage.nullable() }),
  first: ProcessRecording,
  resumed: ProcessRecording,
  quotaWall: RefusalRecording.nullable(),
  signedOut: RefusalRecording,
})
export type Recording = z.infer<typeof Recording>

const folder = join(import.meta.dirname, 'recordings')

export function readRecordings(): Recording[] {
  return globSync('*.json', { cwd: folder })
    .toSorted()
    .map((name) => readRecording(basename(name, '.json')))
}

export function readRecording(agent: string): Recording {
  return Recording.parse(JSON.parse(readFileSync(fileOf(agent), 'utf8')))
}

export function writeRecording(recording: Recording): void {
  writeFileSync(fileOf(recording.agent), `${JSON.stringify(Recording.parse(recording), null, 2)}\n`)
}

export const fileOf = (agent: string) => join(folder, `${agent}.json`)
