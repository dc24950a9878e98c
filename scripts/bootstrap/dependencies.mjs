import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { installerEnvironment } from './environment.mjs'
import { install } from './install.mjs'
import { currentNodeIsGood, nodeVersion } from './node.mjs'
import { exists, root, state } from './places.mjs'

const stampFile = join(root, 'node_modules', '.svc-stamp.json')
const unfinished = join(state, 'install.unfinished')

/** Path of the pnpm that installed what the workspace asks for now; undefined when something has to be installed. */
export function installedBy() {
  const stamp = readStamp()
  return exists(stamp.pnpm) && stamp.fingerprint === fingerprint() ? stamp.pnpm : undefined
}

/** The stamp goes first and comes last: where it is, the installation is whole. */
export async function installDependencies(pnpm) {
  fs.rmSync(stampFile, { force: true })
  if (exists(unfinished)) {
    for (const folder of workspaceFolders())
      fs.rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  }
  fs.writeFileSync(unfinished, '')
  const flags = ['--frozen-lockfile', '--store-dir', join(state, 'store'), '--reporter=append-only']
  await install('Installing the dependencies', [pnpm, 'install', ...flags], {
    cwd: root,
    env: pnpmEnvironment(),
  })
  fs.writeFileSync(stampFile, JSON.stringify({ fingerprint: fingerprint(), pnpm }))
  fs.rmSync(unfinished)
}

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

/** Changes when anything that an installation depends on does, a vanished node_modules included. */
function fingerprint() {
  const hash = createHash('sha256').update(nodeVersion)
  const read = (path) =>
    hash.update(path.slice(root.length)).update(exists(path) ? fs.readFileSync(path) : '')
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) read(join(root, name))
  for (const folder of workspaceFolders()) {
    read(join(folder, 'package.json'))
    hash.update(String(exists(join(folder, 'node_modules'))))
  }
  return hash.digest('hex')
}

/** Every folder of the workspace that has a package.json. */
function workspaceFolders() {
  const below = ['packages', 'apps'].flatMap((folder) => {
    const path = join(root, folder)
    return exists(path) ? fs.readdirSync(path).map((name) => join(path, name)) : []
  })
  return [root, join(root, 'tests'), ...below.sort((a, b) => (a < b ? -1 : 1))].filter((folder) =>
    exists(join(folder, 'package.json')),
  )
}
