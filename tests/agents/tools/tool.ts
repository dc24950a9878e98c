import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Dialect } from '../model/dialect.ts'
import type { Hands, Refusal } from '../model/steps.ts'

/** A program that people have, and how it comes to talk to a model server on loopback. */
export interface Tool {
  /** Of its adapter. */
  key: string
  /** By which people call it. */
  binary: string
  title: string
  /** Of npm, by which people install it. */
  package: string
  /** How the name of the package begins that brings its program. */
  installs: string
  dialect: Dialect
  hands: Hands
  /** Writes the settings that it reads in this home; answers the variables that it is started with. */
  settle: (home: string, modelUrl: string) => Record<string, string>
  /** Refusals of its maker as documents or its own source give them; none was seen from the maker's server. */
  /** Undefined where it says nothing of one. */
  quotaWall: Sourced | undefined
  signedOut: Sourced
  /** It loses a conversation that it goes on with in the minute in which that began. */
  needsNextMinute?: boolean
  /** How its help is asked for, each way of the row that is started. */
  help: readonly (readonly string[])[]
  /** Options that its help does not name, and arguments with each that it refuses for another reason. */
  hidden?: Record<string, readonly string[]>
}

/** A refusal, and what it was written after. */
export interface Sourced {
  source: string
  /** `resetsAt`, in seconds of the epoch, is when the maker's server would answer again, where it says so. */
  refuse: (resetsAt: number) => Refusal
  /** Variables in place of those that the tool is started with elsewhere. */
  environment?: Record<string, string>
}

/** A key that opens nothing. */
export const dummyKey = 'not-a-key-of-anybody-0123456789'

export function writeSettings(home: string, path: string, text: string): void {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
