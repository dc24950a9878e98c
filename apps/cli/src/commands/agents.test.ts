import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { valueAt } from '../agents/config-syntax.ts'
import { connectorOptions } from '../agents/connection.ts'
import { hosted, read, start, test, write } from '../testing/agents.ts'
import { runInTest } from '../testing/cli.ts'

const [command] = start
const main = start[start.length - 2]

describe('without --hosted and --local', () => {
  const signIn = (home: string, baseUrl: string) =>
    write(join(home, '.config/svc/credentials.json'), JSON.stringify({ baseUrl, token: 'secret' }))
  const modeOf = async (env: NodeJS.ProcessEnv, ...options: string[]) => {
    const { stdout } = await runInTest(env, '--json', 'agents', 'setup', 'claude', ...options)
    return (JSON.parse(stdout) as { mode: string }).mode // as the command prints it
  }

  test('it is local where a token lies in a file', async ({ home }) => {
    signIn(home, 'https://svc.example.com')
    expect(await modeOf({ HOME: home })).toBe('local')
    expect(fs.readFileSync(join(home, '.claude.json'), 'utf8')).not.toContain('secret')
  })

  test('it is hosted where there is none for that service', async ({ home }) => {
    const given = ['--url', 'https://svc.example.com']
    expect(await modeOf({ HOME: home }, ...given)).toBe('hosted')
    signIn(home, 'https://other.example.com')
    expect(await modeOf({ HOME: home }, ...given)).toBe('hosted')
    const env = { HOME: home, SVC_BACKEND_URL: 'https://svc.example.com', SVC_USER_TOKEN: 'secret' }
    expect(await modeOf(env)).toBe('hosted')
    expect(fs.readFileSync(join(home, '.claude.json'), 'utf8')).not.toContain('secret')
  })

  test('it is hosted in the file of a project', async ({ home }) => {
    signIn(home, 'https://svc.example.com')
    const web = join(home, 'web')
    fs.mkdirSync(web)
    expect(await modeOf({ HOME: home }, '--project', web)).toBe('hosted')
  })

  test('it makes no folder of a project whose name was mistyped', async ({ home }) => {
    const given = ['--url', 'https://svc.example.com', '--project', join(home, 'wbe')]
    const { code, stderr } = await runInTest({ HOME: home }, 'agents', 'setup', 'claude', ...given)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no folder'),
    })
    expect(fs.readdirSync(home)).not.toContain('wbe')
  })

  test('it says what is missing where no service is known', async ({ home }) => {
    const { code, stderr } = await runInTest({ HOME: home }, 'agents', 'setup', 'claude')
    const said =
      'no_credential: No service is known: name it, as in svc login --url https://svc.example.com.\n'
    expect({ code, stderr }).toEqual({ code: 3, stderr: said })
  })
})

describe('a local entry', () => {
  test('has what this shell says of the service, and the file of the token', async ({ home }) => {
    const file = write(join(home, 'token'), 'secret')
    const env = { HOME: home, SVC_DATA_DIR: 'data', SVC_BACKEND_URL: 'https://svc.example.com' }
    await runInTest(env, 'agents', 'setup', 'claude', '--token-file', file)
    const entry = valueAt(read(join(home, '.claude.json')), ['mcpServers', 'svc'])
    const options = ['--url', 'https://svc.example.com', '--token-file', file]
    expect(entry).toEqual({
      type: 'stdio',
      command,
      args: [...connectorOptions, main, ...options, 'mcp'],
      env: { SVC_DATA_DIR: '/nonexistent/data' },
    })
  })

  test.each([
    [['--local'], 'SVC_USER_TOKEN is known in this shell alone'],
    [['--local', '--project', '.'], "A project's file is for other machines too"],
    [['--local', '--hosted'], "option '--hosted' cannot be used with option '--local'"],
    [['--local', '--remove'], "option '--local' cannot be used with option '--remove'"],
  ])('is not made with %j', async (options, said) => {
    const env = { SVC_USER_TOKEN: 'secret', SVC_BACKEND_URL: 'https://svc.example.com' }
    const { code, stderr } = await runInTest(env, 'agents', 'setup', 'claude', ...options)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })
})

test('it tells a person what to do next', async ({ home }) => {
  const say = (...options: string[]) =>
    runInTest({ HOME: home }, 'agents', 'setup', 'codex', ...options)
  const path = join(home, '.codex/config.toml')
  expect((await say(...hosted)).stdout).toBe(
    `Added svc to ${path} for Codex (hosted).\nNext: start Codex anew; sign in: codex mcp login svc; see that it answers: in Codex type /mcp.\n`,
  )
  expect((await say(...hosted)).stdout).toBe(`${path} has svc for Codex already (hosted).\n`)
  expect((await say('--remove')).stdout).toBe(
    `Removed svc from ${path}.\nNext: start Codex anew.\n`,
  )
})
