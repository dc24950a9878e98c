import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readUntrusted } from '@svc/process/untrusted-file'

const mostBytes = 16 * 1024 * 1024

/** What follows the last variable: without it the shell was ended while it wrote them. */
const end = '.\n'

const folderOf = (runFolder: string) => join(runFolder, 'pre-launch')
const fileOf = (runFolder: string, index: number) => join(folderOf(runFolder), `${index}`)

/** Files for the variables that each command leaves, theirs whatever mask a command sets. */
export function openVariableFiles(runFolder: string, count: number): void {
  mkdirSync(folderOf(runFolder), { recursive: true, mode: 0o700 })
  for (let index = 0; index < count; index += 1) {
    writeFileSync(fileOf(runFolder, index), '', { mode: 0o600 })
  }
}

/** Holds what is no longer needed once the run is over. */
export const variableFolder = folderOf

/**
 * Arguments of a shell that carries out these commands in turn, from that one on. It has read them all before it begins,
 * and opens a file only to write to it: commands may close and redirect whatever they like.
 */
export function shellArguments(
  runFolder: string,
  commands: readonly string[],
  from: number,
): string[] {
  const script = [
    // what joins the pieces below is undone
    `IFS=' \t\n'; set --`,
    `svc_after() { case "$1" in 0) ;; *) exit "$1" ;; esac`,
    `/usr/bin/env -0 >| "$2" && echo . >> "$2" || exit 125; }`,
    ...commands.slice(from).flatMap((command, offset) => {
      const index = from + offset
      return [
        `echo ${quoted(`[${nameOf(index, commands.length)}]`)} 2> /dev/null || :`,
        // no `||` behind it: the shell would take `set -e` for switched off in it
        `eval ${quoted(command)}`,
        `svc_after "$?" ${quoted(fileOf(runFolder, index))}`,
      ]
    }),
  ].join('\n')
  // in pieces, since Linux takes no single argument above 128 KiB
  return ['-c', 'IFS=; eval "$*"', '/bin/sh', ...piecesOf(script)]
}

export function nameOf(index: number, count: number): string {
  return `Pre-launch command ${index + 1} of ${count}`
}

/** The variables that a command left; undefined before it has ended, and where it ended the shell itself. */
export function readLeft(runFolder: string, index: number): Record<string, string> | undefined {
  const entries = readOrEmpty(fileOf(runFolder, index)).split('\0')
  if (entries.pop() !== end) return undefined
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1)]
    }),
  )
}

/** The variables that the last one of the commands that have ended has left. */
export function readLastLeft(runFolder: string, count: number): Record<string, string> {
  for (let index = count - 1; index >= 0; index -= 1) {
    const left = readLeft(runFolder, index)
    if (left !== undefined) return left
  }
  return {}
}

function readOrEmpty(path: string): string {
  try {
    return readUntrusted(path, mostBytes) ?? ''
  } catch {
    return ''
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Cut between characters. */
function piecesOf(text: string): string[] {
  return text.match(/[^]{1,30000}/gu) ?? []
}
