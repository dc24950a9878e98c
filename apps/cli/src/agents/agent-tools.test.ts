import * as fs from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { expected } from '../testing/agent-settings.ts'
import { hosted, read, setUp, test, write } from '../testing/agents.ts'
import { runInTest } from '../testing/cli.ts'
import { agentNames } from './agent-tools.ts'
import { valueAt } from './config-syntax.ts'

describe.each(agentNames)('svc agents setup %s', (name) => {
  const { file, project, at, settings, addition, ...entries } = expected[name]

  test('makes the file, with the entry that the agent itself would write', async ({ home }) => {
    const path = join(home, file)
    expect(await setUp(home, name, ...hosted)).toMatchObject({ code: 0, stderr: '' })
    expect(valueAt(read(path), [...at, 'svc'])).toEqual(entries.hosted)
    fs.rmSync(path)
    const { stdout } = await setUp(home, name, '--local')
    const printed = { agent: name, mode: 'local', file: path, outcome: 'added', dryRun: false }
    expect(JSON.parse(stdout)).toEqual(printed)
    expect(valueAt(read(path), [...at, 'svc'])).toEqual(entries.local)
    expect(fs.readFileSync(path, 'utf8')).not.toContain('token')
    expect(fs.statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['as they are', (text: string) => text],
    ['with the ends of lines of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['behind a byte order mark', (text: string) => `\u{FEFF}${text}`],
    ['without an end of the last line', (text: string) => text.trimEnd()],
  ])('keeps settings %s, and gives them back', async (how, form) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-agents-'))
    const path = write(join(folder.path, file), form(settings), 0o640)
    for (const mode of [hosted, ['--local']]) {
      await setUp(folder.path, name, ...mode)
      const text = fs.readFileSync(path, 'utf8')
      const comments = settings.match(/(?:\/\/|\/\*|#) .*/g) ?? []
      expect(comments.filter((comment) => !text.includes(comment))).toEqual([])
      expect(text.startsWith('\u{FEFF}')).toBe(how.includes('mark'))
      expect(/[^\r]\n/.test(text)).toBe(!how.includes('Windows'))
      expect(fs.statSync(path).mode & 0o777).toBe(0o640)
    }
    await setUp(folder.path, name, '--remove')
    const left = fs.readFileSync(path, 'utf8')
    // a table of TOML begins on a line of its own, for which the last one needs an end
    const isEnded = name === 'codex' && how.includes('without')
    expect(left).toBe(isEnded ? `${form(settings)}\n` : form(settings))
  })

  test('changes nothing the second time', async ({ home }) => {
    const path = write(join(home, file), settings)
    await setUp(home, name, '--local')
    const { ino } = fs.statSync(path)
    const { stdout } = await setUp(home, name, '--local')
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'already so', mode: 'local' })
    expect(fs.statSync(path).ino).toBe(ino)
    await setUp(home, name, '--remove')
    const again = await setUp(home, name, '--remove')
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'not there', mode: null })
  })

  test('goes from one mode to the other, and keeps what a person has added', async ({ home }) => {
    const path = join(home, file)
    await setUp(home, name, '--local')
    const [line, key, value] = addition
    const [anchor = ''] = /.*(?:"type"|command"?) ?[:=].*/.exec(fs.readFileSync(path, 'utf8')) ?? []
    const text = fs.readFileSync(path, 'utf8').replace(anchor, () => `${line}\n${anchor}`)
    fs.writeFileSync(path, text)
    await setUp(home, name, ...hosted)
    expect(fs.readFileSync(path, 'utf8')).toContain(line)
    expect(valueAt(read(path), [...at, 'svc'])).toEqual({ ...entries.hosted, [key]: value })
    await setUp(home, name, '--local')
    expect(fs.readFileSync(path, 'utf8')).toContain(line)
    expect(valueAt(read(path), [...at, 'svc'])).toEqual({ ...entries.local, [key]: value })
  })

  test('shows what it would change and nothing else, and writes nothing', async ({ home }) => {
    const path = write(join(home, file), settings)
    const argv = ['agents', 'setup', name, ...hosted, '--dry-run']
    const { stdout } = await runInTest({ HOME: home }, ...argv)
    expect(stdout).toMatch(/^\+.*https:\/\/svc\.example\.com\/mcp/m)
    expect(stdout).toContain(`+++ ${path}`)
    expect(stdout.split('\n').filter((line) => line.startsWith(' '))).toEqual([])
    expect(fs.readFileSync(path, 'utf8')).toBe(settings)
    await using empty = await mkdtempDisposable(join(tmpdir(), 'svc-agents-'))
    await setUp(empty.path, name, ...hosted, '--dry-run')
    expect(fs.readdirSync(empty.path)).toEqual([])
  })

  test('leaves a file that cannot be read, and says where', async ({ home }) => {
    const broken = `${settings.trimEnd().replace(/\}$/, '')}\n= "?\n`
    const path = write(join(home, file), broken)
    for (const option of ['--local', '--remove']) {
      const { code, stderr } = await runInTest({ HOME: home }, 'agents', 'setup', name, option)
      expect(code).toBe(5)
      const line = broken.split('\n').length - 1
      expect(stderr).toContain(`unusable_file: ${path} cannot be read at line ${line} (`)
    }
    expect(fs.readFileSync(path, 'utf8')).toBe(broken)
  })

  test('leaves a server of another that has the same name', async ({ home }) => {
    const foreign = { command: 'other-svc', args: ['serve'] }
    const inside = at.reduceRight<object>((inner, key) => ({ [key]: inner }), { svc: foreign })
    const table = '[mcp_servers.svc]\ncommand = "other-svc"\nargs = ["serve"]\n'
    const text = name === 'codex' ? table : JSON.stringify(inside)
    const path = write(join(home, file), text)
    for (const option of ['--local', '--remove']) {
      const { code, stderr } = await setUp(home, name, option)
      expect(code).toBe(5)
      expect(stderr).toContain('is not of this service: give it another name')
    }
    expect(fs.readFileSync(path, 'utf8')).toBe(text)
  })

  test('takes for its own what an installed svc has written', async ({ home }) => {
    await setUp(home, name, '--local')
    const path = join(home, file)
    const installed = fs
      .readFileSync(path, 'utf8')
      .replaceAll('/nonexistent/apps/cli/src/main.ts', '/usr/lib/node_modules/svc/dist/main.js')
    write(path, installed)
    expect(await setUp(home, name, '--remove')).toMatchObject({ code: 0 })
    expect(fs.readFileSync(path, 'utf8')).not.toContain('main.js')
  })

  test('fills an empty file', async ({ home }) => {
    const path = write(join(home, file), '')
    await setUp(home, name, '--local')
    expect(valueAt(read(path), [...at, 'svc'])).toEqual(entries.local)
  })

  test.each([true, false])('follows a link, whether its file is there: %s', async (isThere) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-agents-'))
    const [path, target] = [join(folder.path, file), join(folder.path, 'dotfiles', 'kept')]
    fs.mkdirSync(dirname(path), { recursive: true })
    fs.symlinkSync(target, path)
    if (isThere) write(target, settings)
    await setUp(folder.path, name, '--local')
    expect(fs.readlinkSync(path)).toBe(target)
    expect(fs.readFileSync(target, 'utf8')).toContain('main.ts')
    expect(fs.readdirSync(dirname(target))).toEqual(['kept'])
  })

  test('leaves a file that is read-only, or is none', async ({ home }) => {
    const path = write(join(home, file), settings, 0o400)
    const readOnly = await setUp(home, name, '--local')
    expect(readOnly).toMatchObject({ code: 5 })
    expect(readOnly.stderr).toContain('is read-only: make it writable and try again.')
    expect(fs.readFileSync(path, 'utf8')).toBe(settings)
    fs.rmSync(path)
    fs.mkdirSync(path)
    expect((await setUp(home, name, '--local')).stderr).toContain('cannot be read (EISDIR)')
    fs.rmdirSync(path)
    write(path, Buffer.from([0xff, 0xfe, 0x7b, 0x00]))
    expect((await setUp(home, name, '--local')).stderr).toContain('is not UTF-8')
  })

  test('writes the file of a project where one is named, for everybody there', async ({ home }) => {
    const { stdout } = await setUp(home, name, '--project', home, ...hosted.slice(1))
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'hosted', file: join(home, project) })
    expect(valueAt(read(join(home, project)), [...at, 'svc'])).toEqual(entries.hosted)
  })
})

const movable = agentNames.flatMap((name) => {
  const { moved } = expected[name]
  return moved ? [[name, ...moved] as const] : []
})

test.each(movable)('%s is found where %s says', async (name, variable, file) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-agents-'))
  const env = { HOME: folder.path, [variable]: join(folder.path, 'moved') }
  await runInTest(env, 'agents', 'setup', name, ...hosted)
  const { at, hosted: entry } = expected[name]
  expect(valueAt(read(join(folder.path, 'moved', file)), [...at, 'svc'])).toEqual(entry)
  expect(fs.readdirSync(folder.path)).toEqual(['moved'])
})

test('opencode finds the service among the servers, where it writes them below that', async ({
  home,
}) => {
  const path = write(
    join(home, '.config/opencode/opencode.jsonc'),
    '{ "mcp": { "servers": { "x": { "type": "local", "command": ["x"] } } } }',
  )
  await setUp(home, 'opencode', ...hosted)
  expect(valueAt(read(path), ['mcp', 'servers', 'svc'])).toEqual(expected.opencode.hosted)
  expect(fs.readdirSync(dirname(path))).toEqual(['opencode.jsonc'])
})

test('Gemini CLI is left no older address next to the new one', async ({ home }) => {
  const old = { mcpServers: { svc: { httpUrl: 'https://old.example.com/mcp', trust: true } } }
  const path = write(join(home, '.gemini/settings.json'), JSON.stringify(old))
  await setUp(home, 'gemini', ...hosted)
  const entry = valueAt(read(path), ['mcpServers', 'svc'])
  expect(entry).toEqual({ ...expected.gemini.hosted, trust: true })
})
