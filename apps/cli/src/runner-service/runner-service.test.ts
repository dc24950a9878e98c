import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'plist'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runInTest, testCli } from '../testing/cli.ts'
import { unitWords } from '../testing/unit-words.ts'
import { keptRunner } from './kept-runner.ts'
import { launchd } from './launchd.ts'
import { systemd } from './systemd.ts'

const token = 'svcut_a-token-of-this-shell'

/** A place whose name holds all that means something to a service manager. */
function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), `svc %h $HOME "a" 'b' <&>-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    HOME: folder,
    PATH: `${folder}/bin:/usr/bin`,
    SVC_BACKEND_URL: 'https://svc.example.com',
    SVC_RUNNER_HOME: join(folder, 'runner'),
    SVC_USER_TOKEN: token,
  }
  return { folder, env }
}

async function keep(env: NodeJS.ProcessEnv) {
  const { cli } = testCli(env)
  return keptRunner(cli, { project: ['web'], agent: [], max: '2', label: 'box $5 100%' })
}

describe('the unit of systemd', () => {
  test('starts the runner as its shell would, and holds no credential', async () => {
    const { env } = openPlace()
    const kept = await keep(env)
    const text = systemd.describe(kept)
    expect(unitWords(text, 'ExecStart')).toEqual(kept.command)
    expect(unitWords(text, 'Environment')).toEqual([`PATH=${env.PATH}`])
    expect(text).not.toContain(token)
    expect(kept.command.join(' ')).toContain(
      `--token-file ${kept.token?.file} runner start --leave-runs`,
    )
  })

  test('has the PATH of the person, also where npm runs svc', { tags: 'large' }, () => {
    if (process.platform !== 'linux') return // another manager has no unit
    const { env } = openPlace()
    const root = fileURLToPath(new URL('../../../../', import.meta.url))
    // the person's own Node, not the one that this test runs in
    const theirs = process.env['PATH']?.split(delimiter).filter((one) => !one.startsWith(root))
    const PATH = theirs?.join(delimiter)
    const words = ['run', '--silent', 'svc', '--', 'runner', 'service', 'install', '--dry-run']
    const { stdout } = spawnSync('npm', words, {
      cwd: root,
      env: { ...env, PATH },
      encoding: 'utf8',
    })
    const unit = stdout.split('\n').filter((line) => line.startsWith('Environment="PATH='))
    expect(unit).toEqual([`Environment="PATH=${PATH}"`])
  })

  test('lets agents do no more than its shell does', async () => {
    const { env } = openPlace()
    const text = systemd.describe(await keep({ ...env, SVC_RUNNER_MAX_RIGHTS: 'read' }))
    expect(unitWords(text, 'Environment')).toContain('SVC_RUNNER_MAX_RIGHTS=read')
  })

  test('ends the runner alone, and starts it again unless a person has to do something first', async () => {
    const text = systemd.describe(await keep(openPlace().env))
    const lines = text.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'KillMode=process',
        'OOMPolicy=continue',
        'Restart=on-failure',
        'RestartPreventExitStatus=2 3 4 5',
        'WantedBy=default.target',
      ]),
    )
  })

  const { error } = spawnSync('systemd-analyze', ['--version'])
  test(`is one that systemd reads${error ? ', where systemd is: not here' : ''}`, async () => {
    if (error) return
    const { folder, env } = openPlace()
    const kept = await keep(env)
    mkdirSync(kept.home.folder)
    const file = join(folder, 'svc-runner.service')
    writeFileSync(file, systemd.describe(kept))
    const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', file], {
      env: { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder },
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

/** Of launchd.plist(5), as far as they are used here. */
const documented = {
  Label: 'string',
  ProgramArguments: 'object',
  EnvironmentVariables: 'object',
  WorkingDirectory: 'string',
  RunAtLoad: 'boolean',
  KeepAlive: 'object',
  ThrottleInterval: 'number',
  AbandonProcessGroup: 'boolean',
  ExitTimeOut: 'number',
  StandardOutPath: 'string',
  StandardErrorPath: 'string',
}

test('the agent of launchd starts the same, holds no credential, and uses keys that Apple documents', async () => {
  const { env } = openPlace()
  const kept = await keep(env)
  const text = launchd.describe(kept)
  // a dictionary, as launchd wants it
  const read = parse(text) as Record<string, unknown>
  expect(read).toMatchObject({
    ProgramArguments: kept.command,
    EnvironmentVariables: { PATH: env.PATH },
    AbandonProcessGroup: true,
    KeepAlive: { SuccessfulExit: false },
  })
  const kinds = Object.entries(read).map(([key, value]) => [key, typeof value])
  expect(Object.fromEntries(kinds)).toEqual(documented)
  expect(text).not.toContain(token)
})

/** A machine whose service manager writes down how it is called, and does as told. */
function openMachine(
  answer = 'LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nMainPID=0\n',
) {
  const { folder, env } = openPlace()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const calls = join(folder, 'calls')
  for (const program of ['systemctl', 'loginctl']) {
    const script = `#!/bin/sh\necho "${program} $*" >> "$HOME/calls"\n[ "$2" = show ] && cat "$HOME/answer"\nexit 0\n`
    writeFileSync(join(bin, program), script, { mode: 0o755 })
  }
  writeFileSync(join(folder, 'answer'), answer)
  const svc = (...words: string[]) => runInTest(env, 'runner', 'service', ...words)
  const called = () => {
    const lines = readFileSync(calls, 'utf8').trim().split('\n')
    writeFileSync(calls, '')
    return lines
  }
  return { env, svc, called, unit: join(folder, '.config/systemd/user/svc-runner.service') }
}

describe('svc runner service', () => {
  test('install writes the unit once, keeps the token to its owner, and has it started', async () => {
    const { env, svc, called, unit } = openMachine()
    const first = await svc('install', '--max', '2')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain(`Wrote ${unit}`)
    const text = readFileSync(unit, 'utf8')
    expect(text).not.toContain(token)
    const tokenFile = join(env.SVC_RUNNER_HOME, 'service-token')
    expect(readFileSync(tokenFile, 'utf8')).toBe(`${token}\n`)
    for (const name of ['service-token', 'service.env']) {
      expect(statSync(join(env.SVC_RUNNER_HOME, name)).mode & 0o777).toBe(0o600)
    }
    expect(called()).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable svc-runner.service',
      'systemctl --user restart svc-runner.service',
      expect.stringMatching(/^loginctl enable-linger \w+$/),
      expect.stringContaining('systemctl --user show'),
    ])

    writeFileSync(join(env.SVC_RUNNER_HOME, 'service.env'), 'KEY=mine\n')
    expect((await svc('install', '--max', '2')).stdout).toContain('Nothing to change')
    expect(called()).toContain('systemctl --user start svc-runner.service')
    expect(readFileSync(unit, 'utf8')).toBe(text)
    expect(readFileSync(join(env.SVC_RUNNER_HOME, 'service.env'), 'utf8')).toBe('KEY=mine\n')

    expect((await svc('install', '--max', '3')).code).toBe(0)
    expect(called()).toContain('systemctl --user restart svc-runner.service')

    // the runner of another folder is another one
    const kept = readFileSync(unit, 'utf8')
    const other = await svc('install', '--runner-home', join(env.HOME, 'runner-side'))
    expect(other.code).toBe(5)
    expect(other.stderr).toContain('remove that one first (svc runner service remove)')
    expect(readFileSync(unit, 'utf8')).toBe(kept)
  })

  test('install --dry-run shows all of it and changes nothing', async () => {
    const { env, svc, unit } = openMachine()
    const { code, stdout } = await svc('install', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('KillMode=process')
    expect(stdout).toContain('systemctl --user enable svc-runner.service')
    expect(stdout).toContain(unit)
    expect(stdout).not.toContain(token)
    expect(readdirSync(env.HOME).toSorted()).toEqual(['answer', 'bin'])
  })

  test('status tells what the manager says, and remove takes the unit away, once', async () => {
    const { svc, called, unit } = openMachine()
    await svc('install')
    expect((await svc('status')).stdout).toMatch(/state +active/)
    expect(JSON.parse((await svc('status', '--json')).stdout)).toEqual({
      manager: 'systemd',
      file: unit,
      state: 'active',
      startsByItself: true,
      process: null,
    })
    called()
    expect((await svc('remove')).stdout).toContain('its runs go on')
    expect(called()).toEqual([
      'systemctl --user disable --now svc-runner.service',
      'systemctl --user daemon-reload',
    ])
    expect((await svc('remove')).stdout).toContain('nothing to remove')
    expect((await svc('status')).stdout).toContain('not installed')
  })

  test('install without a service manager says what else there is', async () => {
    const { env } = openPlace()
    const { code, stderr } = await runInTest(env, 'runner', 'service', 'install')
    expect(code).toBe(1)
    expect(stderr).toContain('systemctl --user daemon-reload failed')
    expect(stderr).toContain('svc runner start')
  })

  test('install refuses a label that the service would not take, and writes nothing', async () => {
    const { env } = openPlace()
    const { code } = await runInTest(env, 'runner', 'service', 'install', '--label', ' ')
    expect(code).toBe(2)
    expect(readdirSync(env.HOME)).toEqual([])
  })
})
