import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { unitWords } from '@svc/cli/testing/unit-words'
import { version } from '@svc/contracts/version'
import { describe, expect, onTestFinished } from 'vitest'
import { readRecorded } from './support/agents.ts'
import { type Machine, openMachine } from './support/machine.ts'
import { packAll, packInstalled } from './support/packages.ts'
import { commandOf, isRunning, plainEnvironment, startNode } from './support/processes.ts'
import { resourceKey } from './support/scene.ts'
import { ofPerson, temporaryFolder } from '@svc/testing/temporary'
import { test as base } from './support/test.ts'
import { until } from './support/until.ts'

const root = join(import.meta.dirname, '../..')

const test = base
  // oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
  .extend('packages', { scope: 'file' }, async ({}, { onCleanup }) => {
    const packages = packAll()
    onCleanup(() => packages[Symbol.dispose]())
    return packages
  })
  .extend('installed', { scope: 'file' }, ({ packages }) =>
    join(packages.install([packages.tarball('svc')]), 'svc'),
  )

describe('svc, installed from its tarball alone', () => {
  test('names nothing of the folder that it was made in, and brings the licences of others', ({
    installed,
  }) => {
    const files = globSync('**/*.*', { cwd: installed })
    const texts = files.map((file) => readFileSync(join(installed, file), 'utf8'))
    expect(files).toContain('dist/supervisor.js')
    expect(texts.filter((text) => text.includes(root))).toEqual([])
    expect(existsSync(join(installed, 'node_modules'))).toBe(false)
    const licences = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['commander', 'zod', '@modelcontextprotocol/server']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(scripts).toBeUndefined()
  })

  test('says its version, and to a Node that is too old what it needs', ({ installed }) => {
    const program = join(installed, '../../../bin/svc')
    const said = execFileSync(program, ['--version'], { env: plainEnvironment(), encoding: 'utf8' })
    expect(said).toBe(`${version}\n`)
    const { path: folder } = temporaryFolder(ofPerson)
    const older = join(folder, 'older.cjs')
    writeFileSync(
      older,
      `Object.defineProperty(process, 'versions', { value: { node: '20.11.0' } })`,
    )
    const refused = spawnSync(process.execPath, ['--require', older, program], { encoding: 'utf8' })
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^svc needs Node 24 or newer, and this is Node 20\.11\.0: .*\n$/)
  })

  test('completes by itself', ({ installed }) => {
    const program = join(installed, '../../../bin/svc')
    const words = ['completion', 'bash', '--', 'runner', 'ser']
    const env = { ...plainEnvironment(), HOME: temporaryFolder(ofPerson).path }
    expect(execFileSync(program, ['completion', 'bash'], { env, encoding: 'utf8' })).toContain(
      join(installed, 'dist/main.js'),
    )
    expect(execFileSync(program, words, { env, encoding: 'utf8' })).toContain('service')
  })

  test('claims, supervises and delivers', async ({ service, installed }) => {
    await using scene = await service.scene({ repository: true })
    const main = join(installed, 'bin/svc.cjs')
    const machine = await scene.machine({ main, isSignedIn: true, token: scene.token })
    await scene.launch('recorder', resourceKey)
    const run = await scene.untilEnded()
    await machine.settled()
    expect(run).toMatchObject({ outcome: 'delivered', exit: { exitCode: 0 } })
    expect(scene.repository.git('log', '-1', '--format=%s', 'build-the-bridge-1')).toBe(
      'Write a line.',
    )
    const { environment } = readRecorded(machine.home.folder)
    const command = readFileSync(join(environment['PATH']?.split(':')[0] ?? '', 'svc'), 'utf8')
    expect(command).toContain(join(installed, 'dist/main.js'))
    expect(JSON.stringify(environment)).not.toContain(join(root, 'apps'))
  })

  test('is stopped as a service manager stops it, and started again, with a run that goes on', async ({
    service,
    installed,
  }) => {
    await using scene = await service.scene({ repository: true })
    const { baseUrl } = service
    const signedIn = { baseUrl, token: scene.token, isSignedIn: true }
    await using machine = await openMachine(signedIn)
    machine.link(scene.project, resourceKey, scene.repository.path)
    const start = startsByUnit(machine, installed)

    const first = start()
    await machine.connected()
    await scene.launch('commits-in-others', resourceKey)
    const folder = join(machine.home.folder, 'recorded')
    const key = scene.objective.displayId.split('.')[1] ?? ''
    await until('the agent is at work', () => existsSync(join(folder, key, 'done')))
    const [supervisor, agent] = [await machine.supervisor(), await machine.agent()]
    expect(commandOf(supervisor)).toContain(join(installed, 'dist/supervisor.js'))
    first.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: null, signal: 'SIGTERM' })
    expect([supervisor, agent].map(isRunning)).toEqual([true, true])

    const before = machine.proxy.seen.length
    const second = start()
    await until('the next one counts the run', () => countsRun(machine, before))
    writeFileSync(join(folder, 'go-on'), '')
    expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered', generation: 1 })
    await until('nothing but the runner lives', () => machine.processes().length === 1)
    expect(machine.processes()).toEqual([second.pid])
  })
})

/** What the unit that this svc writes has started: by its words, with its variables. */
function startsByUnit(machine: Machine, installed: string) {
  const home = join(dirname(machine.home.folder), 'home')
  const env = { ...plainEnvironment(), HOME: home }
  const words = ['runner', 'service', 'install', '--dry-run', '--json', '--max', '2']
  const own = ['--runner-home', machine.home.folder]
  const program = join(installed, 'bin/svc.cjs')
  const answer = execFileSync(process.execPath, [program, ...words, ...own], { env })
  const { text } = JSON.parse(answer.toString()) as { text: string }
  const [node, ...args] = unitWords(text, 'ExecStart')
  expect(node).toBe(process.execPath)
  const [path = ''] = unitWords(text, 'Environment')
  // by the last one its processes are found here
  const variables = {
    HOME: home,
    PATH: path.replace('PATH=', ''),
    SVC_RUNNER_HOME: machine.home.folder,
  }
  return () => startNode(args[0] ?? '', args.slice(1), { env: variables })
}

/** Whether a claim since then says that a run is at work. */
function countsRun({ proxy }: Machine, since: number): boolean {
  return proxy.seen
    .slice(since)
    .some(({ path, body }) => path.endsWith('/claim') && body.includes('"running":1'))
}

test('@svc/client and @svc/webhooks are installed, checked by TypeScript and used', async ({
  service,
  packages,
}) => {
  const { path: folder } = temporaryFolder(ofPerson)
  const others = join(folder, 'others')
  mkdirSync(others)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  packages.install(
    [
      packages.tarball('svc-client'),
      packages.tarball('svc-webhooks'),
      packInstalled('zod', 'contracts', others),
      packInstalled('eventsource-parser', 'client', others),
    ],
    folder,
  )
  writeFileSync(join(folder, 'consumer.ts'), consumer)
  const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--noEmitOnError']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const checked = spawnSync(
    process.execPath,
    [join(compiler, 'bin/tsc'), ...options, ...types, join(folder, 'consumer.ts')],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(checked).toMatchObject({ status: 0, stdout: '' })
  const token = await service.token()
  const env = { SVC_URL: service.baseUrl, SVC_TOKEN: token }
  const used = startNode(join(folder, 'consumer.js'), [], { env })
  onTestFinished(() => used.kill())
  expect(await used.ended).toMatchObject({ code: 0 })
  expect(JSON.parse(used.stdout())).toEqual({
    missions: expect.any(Number),
    refused: 'not_found',
    signedAt: 1735689600,
  })
})

// in double quotes: what it imports is no package of these tests, but installed from a tarball
const consumer = `
import { createClient } from "@svc/client/client"
import { RefusedError } from "@svc/client/errors"
import { sign } from "@svc/webhooks/sign"
import { verify } from "@svc/webhooks/verify"

const client = createClient({ baseUrl: process.env['SVC_URL'] ?? '', token: process.env['SVC_TOKEN'] ?? '' })
const { missions } = await client.call('listMissions', { limit: 5 })
const titles: string[] = missions.map((mission) => mission.title)
// @ts-expect-error: a mission has no such field
missions.map((mission) => mission.colour)
// @ts-expect-error: there is no such operation
await client.call('flyToMoon', {}).catch(() => undefined)
const refused: string = await client.call('getMission', { id: 'web:999' }).then(
  () => 'answered',
  (error: unknown) => (error instanceof RefusedError ? error.code : String(error)),
)
const signed = { secret: 'whsec_c2VjcmV0', timestamp: 1735689600, body: '{}' }
const { timestamp: signedAt } = verify({ ...signed, header: sign(signed), now: signed.timestamp })
console.log(JSON.stringify({ missions: titles.length, refused, signedAt }))
`
