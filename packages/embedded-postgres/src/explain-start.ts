import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { ClusterFolder } from './cluster-folder.ts'
import { isDiskFull } from './disk.ts'
import { dataBroken, diskFull, EmbeddedPostgresError } from './errors.ts'

/** What the server says when it stops because of its files, not because of its settings. */
const damage = new RegExp(
  [
    'PANIC',
    'database files are incompatible with server',
    'incorrect checksum in control file',
    'is not a database cluster directory',
    'invalid data in file',
    'invalid page in block',
    'required WAL directory',
    'could not (locate|open|read|find) .*(checkpoint|pg_control|"global|"base|"pg_)',
  ].join('|'),
)

/** What the server says of a file of settings that it does not take, and the least that such a file may hold. */
const settingsFiles = [
  [/configuration file "(.+)" contains errors/, 'an empty file stands for the defaults'],
  [/could not access the server configuration file "(.+)"/, 'an empty file is enough'],
  [/could not load (.+pg_hba\.conf)$/m, 'the one line "local all all trust" is enough'],
] as const

/** Why the server that was just launched is not there, from what it wrote since. */
export function explainStart(
  cluster: ClusterFolder,
  logStart: number,
  cause: unknown,
): EmbeddedPostgresError {
  const text = readFileSync(cluster.logFile).subarray(logStart).toString()
  if (/No space left on device/.test(text)) return diskFull(cluster.folder)
  if (damage.test(text) || isDamage(cause)) return dataBroken(cluster.data, reasonIn(text))
  for (const [shape, least] of settingsFiles) {
    const file = shape.exec(text)?.[1]
    if (file !== undefined) return settingsBroken(file, mistakeIn(text), least)
  }
  if (isDiskFull(cluster.folder)) return diskFull(cluster.folder)
  const lastLines = text.trim().split('\n').slice(-8).join('\n')
  const message = `PostgreSQL did not start; see ${cluster.logFile}, which ends:\n${lastLines}`
  return new EmbeddedPostgresError('start_failed', message, { cause })
}

/** A server that runs and answers so has lost files of its own. */
function isDamage(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && /^(3D000|58|XX)/.test(cause.code ?? '')
}

/** What ends a process of the server, with its detail; not that somebody is turned away until it is up or down. */
const ending = /(?:FATAL|PANIC): +(?! |the database system is )(.+)(?:\n.*DETAIL: +(.+))?/g

/** The last such thing, in its words. */
function reasonIn(log: string): string {
  const [, what = 'see its log', detail] = [...log.matchAll(ending)].at(-1) ?? []
  return detail === undefined ? what : `${what}: ${detail.replace(/\.$/, '')}`
}

function mistakeIn(log: string): string {
  const [, mistake] = [...log.matchAll(/LOG: +(.+)(?=\n(?:.*CONTEXT.*\n)?.*FATAL)/g)].at(-1) ?? []
  return mistake ?? log.trim().split(': ').at(-1) ?? ''
}

function settingsBroken(file: string, mistake: string, least: string): EmbeddedPostgresError {
  const message = `PostgreSQL cannot use ${file} (${mistake}): correct it there and start again; ${least}.`
  return new EmbeddedPostgresError('settings_broken', message)
}
