import * as fs from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode, writeDurably } from '@svc/runner/files/durable-file'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure } from '../output/failure.ts'

/** A file of settings as it was found. */
export interface ConfigFile {
  /** As a person knows it. */
  path: string
  /** What a link leads to. */
  target: string
  /** Undefined where there is none yet. */
  bytes: Buffer | undefined
  /** Without the mark before it. */
  text: string
  hasMark: boolean
  mode: number
}

const mark = '\u{FEFF}'

export function readConfig(path: string): ConfigFile {
  const target = followed(path)
  const bytes = readBytes(target)
  const whole = bytes === undefined ? '' : decoded(path, bytes)
  const hasMark = whole.startsWith(mark)
  const text = hasMark ? whole.slice(mark.length) : whole
  // a new file is its owner's: others come to hold tokens in it
  const mode = bytes === undefined ? 0o600 : fs.statSync(target).mode & 0o777
  return { path, target, bytes, text, hasMark, mode }
}

/**
 * Replaces the file in one step, and only if it still is what was read: an agent that is running writes its own settings.
 */
export function writeConfig(file: ConfigFile, text: string): void {
  const { path, target, mode } = file
  if ((mode & 0o222) === 0) throw unusable(`${path} is read-only: make it writable and try again.`)
  const now = readBytes(target)
  if (!(now === file.bytes || (now && file.bytes?.equals(now)))) {
    throw unusable(`${path} has just been changed by another program: try again.`)
  }
  try {
    fs.mkdirSync(dirname(target), { recursive: true })
    writeDurably(target, file.hasMark ? mark + text : text, mode)
    // the mode of a new file is less what the process masks
    fs.chmodSync(target, mode)
  } catch (cause) {
    const why = errorCode(cause) ?? String(cause)
    throw unusable(`${path} cannot be written (${why}): check who owns it and its folder.`, cause)
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return fs.readFileSync(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return undefined
    throw unusable(
      `${path} cannot be read (${String(code)}): check what it is and who owns it.`,
      error,
    )
  }
}

function decoded(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw unusable(`${path} is not UTF-8: save it as UTF-8 and try again.`, cause)
  }
}

/** Links stay links, also one whose file is still to be made. */
function followed(path: string): string {
  try {
    return fs.realpathSync(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') return path
  }
  try {
    return followed(resolve(dirname(path), fs.readlinkSync(path)))
  } catch {
    return path
  }
}

export function unusable(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure('unusable_file', message, exitCode.conflict, { cause })
}
