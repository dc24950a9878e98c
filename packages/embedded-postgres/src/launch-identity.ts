import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EmbeddedPostgresError, systemCode } from './errors.ts'

/**
 * Who the server runs as: PostgreSQL refuses root. Other services run as nobody, too, so as nobody it has a group that no
 * other has: its folders are that group's, and who is let in there is whom the server trusts.
 */
export type LaunchIdentity =
  | { kind: 'self' }
  | { kind: 'nobody'; uid: number; gid: number }
  | { kind: 'namespace' }

/** Where everything of one server lies, and who runs it. */
export type DataLocation = { base: string; identity: LaunchIdentity }

/**
 * An ordinary user runs it in `folder`. Root runs it as nobody, in `folder` if nobody can go there, else below
 * `shared`; where root may not change its user, in a user namespace of its own. A database that exists decides.
 */
export function chooseLocation(folder: string, shared = '/var/lib/svc'): DataLocation {
  makeFolder(folder)
  const own = realpathSync(folder)
  if (process.getuid?.() !== 0) return { base: own, identity: { kind: 'self' } }
  const away = join(shared, createHash('sha256').update(own).digest('hex').slice(0, 16))
  const base = [own, away].find((location) => existsSync(join(location, 'cluster', 'data')))
  if (base === undefined) return locationForNew(own, away)
  if (base === away) openToOthers(shared, away)
  return { base, identity: identityOfData(base, own) }
}

/** With those above it that are missing. Others may pass through each that is made, whatever the umask is. */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true })
  if (first === undefined) return
  for (let made = resolve(folder); made.length >= first.length; made = dirname(made)) {
    chmodSync(made, 0o711)
  }
}

/** These are nobody's but ours: one that a start under a strict umask has closed would stay closed for every database. */
function openToOthers(...folders: string[]): void {
  for (const folder of folders) {
    const { mode } = statSync(folder)
    if ((mode & 0o001) === 0) chmodSync(folder, (mode & 0o7777) | 0o011)
  }
}

function locationForNew(own: string, away: string): DataLocation {
  const nobody = findNobody(own)
  if (nobody !== undefined) {
    const reached = tryReach(nobody, own)
    if (reached === 'yes') return { base: own, identity: nobody }
    if (reached === 'no') {
      makeFolder(away)
      openToOthers(dirname(away), away)
      if (tryReach(nobody, away) === 'yes') return { base: away, identity: nobody }
    }
  }
  if (canUseNamespace()) return { base: own, identity: { kind: 'namespace' } }
  throw noIdentity(own)
}

/** The owner of existing data is the only one who can run it. */
function identityOfData(base: string, own: string): LaunchIdentity {
  const owner = statSync(join(base, 'cluster', 'data'))
  if (owner.uid === 0) {
    if (canUseNamespace()) return { kind: 'namespace' }
    throw noIdentity(own)
  }
  const identity = { kind: 'nobody', uid: owner.uid, gid: ownGroup(own) } as const
  if (tryReach(identity, base) === 'yes') return identity
  const message = `PostgreSQL runs as user ${owner.uid}, which owns the data in ${base} but cannot go there: give every folder above it the right x for others (chmod o+x).`
  throw new EmbeddedPostgresError('no_identity', message)
}

function findNobody(folder: string): { kind: 'nobody'; uid: number; gid: number } | undefined {
  const [, uid] = /^nobody:[^:]*:(\d+):/m.exec(readIfThere('/etc/passwd')) ?? []
  return uid === undefined ? undefined : { kind: 'nobody', uid: Number(uid), gid: ownGroup(folder) }
}

/**
 * A group for the server of one folder, without a name: of numbers that systems give to no group, and that a container
 * with few of them has, too.
 */
function ownGroup(folder: string): number {
  const names = readIfThere('/etc/group')
  const taken = new Set([...names.matchAll(/^[^:]*:[^:]*:(\d+):/gm)].map(([, gid]) => Number(gid)))
  const [first, count] = [52_000, 7_000]
  let wanted = createHash('sha256').update(folder).digest().readUInt32BE() % count
  while (taken.has(first + wanted)) wanted = (wanted + 1) % count
  return first + wanted
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** `refused`: root without the right to change its user, as in some containers. */
function tryReach(who: { uid: number; gid: number }, folder: string): 'yes' | 'no' | 'refused' {
  const { uid, gid } = who
  const answer = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { uid, gid, cwd: '/' })
  // a container may not have the user or the group
  if (['EPERM', 'EINVAL'].includes(systemCode(answer.error) ?? '')) return 'refused'
  return answer.status === 0 ? 'yes' : 'no'
}

const namespaceCommand = ['unshare', '--user', '--map-user=65534', '--map-group=65534']

function canUseNamespace(): boolean {
  const [program = '', ...options] = namespaceCommand
  return spawnSync(program, [...options, 'true'], { stdio: 'ignore' }).status === 0
}

/** A command as that identity has to start it, without shell or fork: its pid is the program's own. */
export function commandAs(identity: LaunchIdentity, program: string, args: string[]): string[] {
  return identity.kind === 'namespace'
    ? [...namespaceCommand, program, ...args]
    : [program, ...args]
}

export function spawnIdentity(identity: LaunchIdentity): { uid?: number; gid?: number } {
  return identity.kind === 'nobody' ? { uid: identity.uid, gid: identity.gid } : {}
}

/** Never the secrets of the process that starts it. */
export const childEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  TZ: 'UTC',
  LC_ALL: 'C',
}

function noIdentity(folder: string): EmbeddedPostgresError {
  const message = `PostgreSQL does not run as root, and here root can neither become nobody nor open a user namespace for ${folder}: start as an ordinary user, or set DATABASE_URL to a PostgreSQL 15 or newer.`
  return new EmbeddedPostgresError('no_identity', message)
}
