// Single npm packages in `.svc/toolchain`: each is `{ name, version, file }`, where `file` is its program, with the hash of
// what may come by that name: `integrity`, or for one that brings others `lock`, its lockfile in `locks`. npm holds to them.
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { installerEnvironment } from './environment.mjs'
import { Failure } from './failure.mjs'
import { install } from './install.mjs'
import { exists, onPath, toolchain } from './places.mjs'

const unfinished = new Set()

/** Path of its program, if the package is there. */
export function findPackage(it) {
  return exists(join(folderOf(it), '.ok')) ? programOf(it) : undefined
}

/** Installs one package without its scripts into a folder next to its final one, and renames that: a folder that has its name is complete. */
export async function fetchPackage(label, it) {
  const ready = findPackage(it)
  if (ready !== undefined) return ready
  const folder = folderOf(it)
  const next = join(toolchain, `tmp-${randomUUID()}`)
  const cache = join(next, '.npm')
  const command = [...findNpm(), 'ci', '--cache', cache, ...flags]
  unfinished.add(next)
  fs.mkdirSync(next, { recursive: true })
  // npm installs here; --prefix would lose /etc/npmrc
  const dependencies = { [it.name]: it.version }
  fs.writeFileSync(join(next, 'package.json'), JSON.stringify({ private: true, dependencies }))
  fs.writeFileSync(join(next, 'package-lock.json'), lockfileOf(it, dependencies))
  await install(`Getting ${label} ${it.version}`, command, {
    cwd: next,
    env: installerEnvironment({}),
  })
  fs.rmSync(cache, { recursive: true, force: true })
  fs.writeFileSync(join(next, '.ok'), '')
  fs.rmSync(folder, { recursive: true, force: true })
  fs.renameSync(next, folder)
  unfinished.delete(next)
  return programOf(it)
}

/** What this process has half-way. */
export function removeUnfinishedPackages() {
  for (const folder of unfinished) fs.rmSync(folder, { recursive: true, force: true })
}

/** What killed starts left half-way; nothing is using it while the turn is ours. */
export function removeAbandonedPackages() {
  for (const name of exists(toolchain) ? fs.readdirSync(toolchain) : []) {
    if (name.startsWith('tmp-')) fs.rmSync(join(toolchain, name), { recursive: true, force: true })
  }
}

const flags = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
  '--fetch-retries=3',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-factor=2',
]

function lockfileOf({ name, version, integrity, lock }, dependencies) {
  if (lock !== undefined) return fs.readFileSync(new URL(`locks/${lock}`, import.meta.url))
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version, integrity } }
  return JSON.stringify({ lockfileVersion: 3, requires: true, packages })
}

const folderOf = ({ name, version }) => join(toolchain, `${name.replace(/^.*\//, '')}-${version}`)

const programOf = (it) => join(folderOf(it), 'node_modules', it.name, it.file)

/** The npm that started us, or the one on the PATH, as command and first arguments. */
function findNpm() {
  const own = process.env.npm_execpath
  if (own?.endsWith('npm-cli.js') && exists(own)) return [process.execPath, own]
  const found = onPath('npm')
  if (found === undefined) {
    throw new Failure(
      'npm is missing: install Node 20 or newer together with npm, or Node 24.7 or newer and pnpm 12.',
    )
  }
  const real = fs.realpathSync(found)
  return real.endsWith('.js') ? [process.execPath, real] : [found]
}
