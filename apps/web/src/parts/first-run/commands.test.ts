import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { linkCommand, runnerCommand, scriptedCommand, startCommand } from './commands.ts'

/** What a program is given, as a real shell reads the line. */
function wordsOf(line: string): string[] {
  const script = `svc() { printf '%s\\0' "$@"; }; ${line}`
  const { stdout } = spawnSync('sh', ['-c', script], {
    env: { HOME: '/home/me' },
    encoding: 'utf8',
  })
  return stdout.split('\0').slice(0, -1)
}

test.each([
  ['.', '.'],
  ['~/code/web', '/home/me/code/web'],
  ['~/', '/home/me/'],
  ['~/my code', '/home/me/my code'],
  [`it's; touch $(x) \`y\``, `it's; touch $(x) \`y\``],
  ['  /srv/web ', '/srv/web'],
])('the folder %s is one word of the command', (path, read) => {
  const command = linkCommand({ project: 'web', path })
  expect(wordsOf(command)).toEqual(['resource', 'link', 'web', read])
})

test('a checkout of a resource that is there is linked as that, and as it is', () => {
  const resource = { key: 'docs', isReadOnly: true }
  const command = linkCommand({ project: 'web', path: '.', resource })
  expect(wordsOf(command)).toEqual(['resource', 'link', 'web', '.', '--key', 'docs', '--ro'])
})

test('one line signs in and starts the runner', () => {
  const at = { service: 'https://svc.example.com', workspace: 'acme' }
  const words = ['login', '--url', at.service, '--workspace', 'acme', 'runner', 'start']
  expect(wordsOf(runnerCommand(at))).toEqual(words)
})

test('a runner that is away is started again by a command of the machine', () => {
  expect(wordsOf(startCommand)).toEqual(['runner', 'start'])
})

test('the scripted agent is named by the variable that the runner reads', () => {
  const start = 'SVC_SCRIPTED_AGENT="$PWD/packages/scripted-agent/src/main.ts" npm run -s svc --'
  expect(scriptedCommand(undefined)).toBe(`${start} runner start`)
  expect(scriptedCommand('acme')).toBe(`${start} --workspace acme runner start`)
})
