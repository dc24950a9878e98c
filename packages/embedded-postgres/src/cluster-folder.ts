import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'
import { type LaunchIdentity, spawnIdentity } from './launch-identity.ts'

/** The folders that the user the server runs as may write to, and its log, which the server cannot replace. */
export type ClusterFolder = { folder: string; data: string; socketFolder: string; logFile: string }

export function prepareClusterFolder(base: string, identity: LaunchIdentity): ClusterFolder {
  const folder = join(base, 'cluster')
  makePrivate(folder, identity)
  const socketFolder = chooseSocketFolder(folder)
  makePrivate(socketFolder, identity)
  const data = join(folder, 'data')
  if (identity.kind === 'nobody' && existsSync(data)) chownSync(data, identity.uid, identity.gid)
  return { folder, data, socketFolder, logFile: join(base, 'postgres.log') }
}

/** What a server holds while it runs, and leaves behind when it is killed; each begins with its pid. */
export function lockFiles({ data, socketFolder }: ClusterFolder): string[] {
  return [join(data, 'postmaster.pid'), join(socketFolder, '.s.PGSQL.5432.lock')]
}

/** A socket's whole path has at most 107 bytes (103 on macOS); `/.s.PGSQL.5432` takes 14 of them. */
function chooseSocketFolder(cluster: string): string {
  const own = join(cluster, 'socket')
  if (Buffer.byteLength(own) <= 89) return own
  const name = `svc-pg-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  return join(Buffer.byteLength(tmpdir()) <= 60 ? tmpdir() : '/tmp', name)
}

/** For root's server a folder is of root and the server's group, which lets the group in and no other process of nobody. */
function makePrivate(folder: string, identity: LaunchIdentity): void {
  const [me = 0, ours = 0] = [process.getuid?.(), process.getgid?.()]
  const { uid = me, gid = ours } = spawnIdentity(identity)
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== me)) {
    const message = `${folder} belongs to another user: remove it, or choose another database folder.`
    throw new EmbeddedPostgresError('socket_folder', message)
  }
  if (found.uid !== me || found.gid !== gid) chownSync(folder, me, gid)
  chmodSync(folder, uid === me ? 0o700 : 0o770)
}
