import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeAt } from '../files/home.ts'
import { type LaunchFacts, agentEnvironment, launchCatalog } from './environment.ts'
import { fillCommand, fillVariable } from './placeholders.ts'

const facts: LaunchFacts = {
  missionId: '0190a000-0000-7000-8000-000000000001',
  objectiveId: 'web:7.k7qd',
  backendUrl: 'http://127.0.0.1:4600',
  executionRequestId: '0190a000-0000-7000-8000-000000000002',
  generation: 3,
  workingDirectory: '/home/dev/web',
  contextFile: '/home/dev/web/.svc/tmp/briefing.md',
  tmpDirectory: '/home/dev/web/.svc/tmp',
  resources: [
    {
      resourceKey: 'web',
      permission: 'rw',
      primary: false,
      state: 'connected',
      path: '/home/dev/web',
    },
    {
      resourceKey: 'docs',
      permission: 'ro',
      primary: true,
      state: 'connected',
      path: '/home/dev/docs',
    },
    { resourceKey: 'api', permission: 'rw', primary: false, state: 'unavailable', path: null },
  ],
  currentResource: 'web',
}

const home = homeAt('/home')

function environment(change: Partial<LaunchFacts> = {}, inherited: NodeJS.ProcessEnv = {}) {
  return agentEnvironment(inherited, home, launchCatalog({ ...facts, ...change }), {})
}

describe('the environment of an agent', () => {
  test('names mission, objective, request, service and folders [env.MISSION_ID] [env.SVC_MISSION_ID] [env.SVC_OBJECTIVE_ID] [env.SVC_BACKEND_URL]', () => {
    expect(environment()).toMatchObject({
      MISSION_ID: facts.missionId,
      SVC_MISSION_ID: facts.missionId,
      SVC_OBJECTIVE_ID: 'web:7.k7qd',
      SVC_BACKEND_URL: 'http://127.0.0.1:4600',
      SVC_EXECUTION_REQUEST_ID: facts.executionRequestId,
      SVC_EXECUTION_GENERATION: '3',
      SVC_WORKING_DIRECTORY: '/home/dev/web',
      SVC_CONTEXT_FILE: facts.contextFile,
    })
  })

  test('lets Git find no repository around a scratch folder', ({ onTestFinished }) => {
    const repository = mkdtempSync(join(tmpdir(), 'svc-around-'))
    onTestFinished(() => rmSync(repository, { recursive: true, force: true }))
    const inner = homeAt(join(repository, 'runner'))
    const scratch = join(inner.scratch, 'a-request')
    mkdirSync(scratch, { recursive: true })
    spawnSync('git', ['init', '-q', repository])
    const git = (env: NodeJS.ProcessEnv, cwd: string) =>
      spawnSync('git', ['rev-parse', '--git-dir'], { cwd, env }).status
    const inherited = { PATH: process.env['PATH'] ?? '' }
    expect(git(inherited, scratch)).toBe(0)

    const env = agentEnvironment(inherited, inner, launchCatalog(facts), {})
    expect(git(env, scratch)).toBe(128)
    expect(git(env, repository)).toBe(0)
    spawnSync('git', ['init', '-q', scratch])
    expect(git(env, scratch)).toBe(0)
  })

  test('sends every scratch variable to one folder, whatever the runner had [env.TMPDIR] [env.TMP] [env.TEMP]', () => {
    const inherited = { TMPDIR: '/elsewhere', TMP: '/elsewhere', TEMP: '/elsewhere' }
    const { SVC_TMPDIR, TMPDIR, TMP, TEMP } = environment({}, inherited)
    expect([SVC_TMPDIR, TMPDIR, TMP, TEMP]).toEqual(Array(4).fill('/home/dev/web/.svc/tmp'))
  })

  test('lists connected paths with their permission [env.SVC_PROJECT_RESOURCES_PATHS] [env.SVC_PROJECT_RESOURCES_PATHS_CSV]', () => {
    const { SVC_PROJECT_RESOURCES_PATHS, SVC_PROJECT_RESOURCES_PATHS_CSV } = environment()
    expect(SVC_PROJECT_RESOURCES_PATHS).toBe('/home/dev/web:rw,/home/dev/docs:ro')
    expect(SVC_PROJECT_RESOURCES_PATHS_CSV).toBe('/home/dev/web:rw,/home/dev/docs:ro')
  })

  test('describes every linked resource as JSON [env.SVC_PROJECT_RESOURCES]', () => {
    expect(JSON.parse(environment()['SVC_PROJECT_RESOURCES'] ?? '')).toEqual(facts.resources)
  })

  test('has no description without resources, inherited or not [env.SVC_PROJECT_RESOURCES.only-with-resources]', () => {
    const without = environment({ resources: [] }, { SVC_PROJECT_RESOURCES: '[]' })
    expect(without).not.toHaveProperty('SVC_PROJECT_RESOURCES')
  })

  test('fills every placeholder of the service, with nothing where there is nothing to say', () => {
    const catalog = launchCatalog({ ...facts, resources: [], currentResource: null })
    const said = [
      'SVC_PROJECT_RESOURCES',
      'SVC_PROJECT_RESOURCES_PATHS',
      'SVC_PROJECT_RESOURCES_PATHS_CSV',
      'SVC_PRIMARY_RESOURCE_PATH',
    ].map((name) => [fillVariable(`<{${name}}>`, catalog), fillCommand(`"{${name}}"`, catalog)])
    expect(said).toEqual(Array(4).fill(['<>', '""']))
  })

  test('points at the primary resource when it is connected [env.SVC_PRIMARY_RESOURCE_PATH]', () => {
    expect(environment()['SVC_PRIMARY_RESOURCE_PATH']).toBe('/home/dev/docs')
  })

  test('points at the current resource when no primary is connected [env.SVC_PRIMARY_RESOURCE_PATH.current]', () => {
    const resources = facts.resources.map((resource) => ({
      ...resource,
      primary: resource.path === null,
    }))
    expect(environment({ resources })['SVC_PRIMARY_RESOURCE_PATH']).toBe('/home/dev/web')
  })

  test('has an empty primary path with nothing connected [env.SVC_PRIMARY_RESOURCE_PATH.empty]', () => {
    expect(environment({ resources: [] })['SVC_PRIMARY_RESOURCE_PATH']).toBe('')
  })

  test("inherits the runner's, its token with it [env.inherited] [env.SVC_USER_TOKEN]", () => {
    expect(environment({}, { FOO: 'bar', SVC_USER_TOKEN: 'svcut_x' })).toMatchObject({
      FOO: 'bar',
      SVC_USER_TOKEN: 'svcut_x',
    })
  })

  test('never holds what belongs to the servers', () => {
    const inherited = { DATABASE_URL: 'postgres://x', SVC_SECRET_KEYS: 'k', SVC_DATA_DIR: '/d' }
    expect(Object.keys(environment({}, inherited))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/DATABASE_URL|SECRET_KEYS|DATA_DIR/)]),
    )
  })

  test("finds the runner's own svc first", () => {
    expect(environment({}, { PATH: '/usr/bin' })['PATH']).toBe('/home/bin:/usr/bin')
  })

  test("takes the project's variables, and not under reserved names", () => {
    const variables = {
      GREETING: 'hello {SVC_OBJECTIVE_ID}',
      SVC_BACKEND_URL: 'http://evil',
      LD_PRELOAD: '/x.so',
      DYLD_INSERT_LIBRARIES: '/x',
      TMPDIR: '/y',
    }
    const result = agentEnvironment({}, home, launchCatalog(facts), variables)
    expect(result).toMatchObject({
      GREETING: 'hello web:7.k7qd',
      SVC_BACKEND_URL: 'http://127.0.0.1:4600',
      TMPDIR: '/home/dev/web/.svc/tmp',
    })
    expect(result).not.toHaveProperty('LD_PRELOAD')
    expect(result).not.toHaveProperty('DYLD_INSERT_LIBRARIES')
  })
})

describe('the catalog of placeholders', () => {
  test('has ids, folders and resources, the paths of these once as words and once with commas [placeholder.catalog] [placeholder.catalog-paths]', () => {
    const paths = ['/home/dev/web:rw', '/home/dev/docs:ro']
    expect(Object.fromEntries(launchCatalog(facts))).toEqual({
      MISSION_ID: facts.missionId,
      SVC_MISSION_ID: facts.missionId,
      SVC_OBJECTIVE_ID: facts.objectiveId,
      SVC_BACKEND_URL: facts.backendUrl,
      SVC_EXECUTION_REQUEST_ID: facts.executionRequestId,
      SVC_EXECUTION_GENERATION: '3',
      SVC_WORKING_DIRECTORY: facts.workingDirectory,
      SVC_CONTEXT_FILE: facts.contextFile,
      SVC_TMPDIR: facts.tmpDirectory,
      TMPDIR: facts.tmpDirectory,
      TMP: facts.tmpDirectory,
      TEMP: facts.tmpDirectory,
      SVC_PROJECT_RESOURCES: JSON.stringify(facts.resources),
      SVC_PROJECT_RESOURCES_PATHS: paths,
      SVC_PROJECT_RESOURCES_PATHS_CSV: paths.join(','),
      SVC_PRIMARY_RESOURCE_PATH: '/home/dev/docs',
    })
    const both = '{SVC_PROJECT_RESOURCES_PATHS} or {SVC_PROJECT_RESOURCES_PATHS_CSV}'
    const filled = `${paths.join(' ')} or ${paths.join(',')}`
    expect(fillVariable(both, launchCatalog(facts))).toBe(filled)
  })

  test('fills in whatever is added to it [placeholder.open-ended]', () => {
    const catalog = new Map([...launchCatalog(facts), ['NEW_ONE', 'new']])
    expect(fillCommand('{NEW_ONE} {SVC_OBJECTIVE_ID}', catalog)).toBe("'new' 'web:7.k7qd'")
  })
})
