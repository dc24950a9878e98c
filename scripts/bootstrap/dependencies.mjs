import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { installerEnvironment } from './environment.mjs'
import { install } from './install.mjs'
import { currentNodeIsGood, nodeVersion } from './node.mjs'
import { exists, root, state } from './places.mjs'

const modules = join(root, 'node_modules')
const store = join(modules, '.pnpm')
const stampFile = join(modules, '.svc-stamp.json')
const unfinished = join(state, 'install.unfinished')

/** What `npm start` and `npm run svc` run with; without these words it is everything, as tests and checks need it. */
const production = ['--prod', '--filter-prod', '@svc/standalone...']

/**
 * Path of the pnpm that installed what the workspace asks for now; undefined when something has to be installed. An
 * installation with the part for development is as good for who needs none.
 */
export function installedBy(development) {
  const stamp = readStamp()
  return isWhole(stamp) && (stamp.development || !development) ? stamp.pnpm : undefined
}

/**
 * The stamp goes first and comes last: where it is, the installation is whole. The part for development is added to
 * what may be running just now, whose stamp stays; and never taken away, since a test may be running from it.
 */
export async function installDependencies(pnpm, forDevelopment) {
  const present = readStamp()
  const isAddition = isWhole(present)
  const development = forDevelopment || hasDevelopment()
  if (!isAddition) fs.rmSync(stampFile, { force: true })
  if (exists(unfinished)) removeUnfinished(isAddition ? present.packages : undefined)
  fs.writeFileSync(unfinished, '')
  const part = development ? [] : production
  const flags = ['--frozen-lockfile', '--store-dir', join(state, 'store'), '--reporter=append-only']
  await install('Installing the dependencies', [pnpm, 'install', ...part, ...flags], {
    cwd: root,
    env: pnpmEnvironment(),
  })
  const folders = workspaceFolders().map(modulesOf).filter(exists)
  const stamp = { fingerprint: fingerprint(), pnpm, development, folders, packages: packages() }
  const next = `${stampFile}.next`
  fs.writeFileSync(next, JSON.stringify(stamp))
  fs.renameSync(next, stampFile)
  fs.rmSync(unfinished)
}

const isWhole = (stamp) =>
  exists(stamp.pnpm) && stamp.fingerprint === fingerprint() && stamp.folders.every(exists)

/** pnpm removes what an installation of the smaller kind does not name. */
function hasDevelopment() {
  const notes = join(modules, '.modules.yaml')
  return exists(notes) && /"?devDependencies"?: true/.test(fs.readFileSync(notes, 'utf8'))
}

/** pnpm takes a package that it was killed in for complete. What is kept was there before it began. */
function removeUnfinished(kept) {
  const remove = (folder) => fs.rmSync(folder, { recursive: true, force: true })
  if (kept === undefined) workspaceFolders().map(modulesOf).forEach(remove)
  else
    packages()
      .filter((name) => !kept.includes(name))
      .forEach((name) => remove(join(store, name)))
}

const packages = () => (exists(store) ? fs.readdirSync(store) : [])

function pnpmEnvironment() {
  const cache = join(state, 'cache')
  const registry = process.env.npm_config_registry // pnpm has its own name for it
  return installerEnvironment({
    CI: 'true',
    XDG_CACHE_HOME: cache,
    XDG_STATE_HOME: cache,
    XDG_DATA_HOME: cache,
    // pnpm leaves out optional binaries that do not fit the Node it finds, which may be the old one.
    pnpm_config_node_version: currentNodeIsGood ? process.versions.node : nodeVersion,
    pnpm_config_fetch_retries: '3',
    pnpm_config_fetch_retry_mintimeout: '1000',
    pnpm_config_fetch_retry_factor: '2',
    ...(registry && { pnpm_config_registry: registry }),
  })
}

function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

/** Changes when anything that an installation depends on does. */
function fingerprint() {
  const hash = createHash('sha256').update(nodeVersion)
  const read = (path) =>
    hash.update(path.slice(root.length)).update(exists(path) ? fs.readFileSync(path) : '')
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) read(join(root, name))
  for (const folder of workspaceFolders()) read(join(folder, 'package.json'))
  return hash.digest('hex')
}

/** Every folder of the workspace that has a package.json. */
function workspaceFolders() {
  const below = ['packages', 'apps'].flatMap((folder) => {
    const path = join(root, folder)
    return exists(path) ? fs.readdirSync(path).map((name) => join(path, name)) : []
  })
  const tests = ['tests', 'tests/bench'].map((folder) => join(root, folder))
  return [root, ...tests, ...below.sort((a, b) => (a < b ? -1 : 1))].filter((folder) =>
    exists(join(folder, 'package.json')),
  )
}

const modulesOf = (folder) => join(folder, 'node_modules')
