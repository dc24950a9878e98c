import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

const module = JSON.stringify(new URL('pager.ts', import.meta.url).href)
const program = `import { page } from ${module}; await page({ ...process, env: process.env }, 'one\\ntwo')`
const argv = ['--input-type=module', '--eval', program]

function paged(env: NodeJS.ProcessEnv): string {
  const own = { PATH: process.env['PATH'], HOME: '/nonexistent', TERM: 'dumb', ...env }
  const command = [process.execPath, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const given = ['-qfec', command.join(' '), '/dev/null']
  const { stdout } = spawnSync('script', given, { env: own, cwd: '/', encoding: 'utf8', input: '' })
  return stdout.replaceAll('\r', '')
}

const { stdout: version } = spawnSync('script', ['--version'], { encoding: 'utf8' })
const onTerminal = String(version).includes('util-linux') ? describe : describe.skip

onTerminal('on a terminal a long text', () => {
  test.each([
    ['goes through $PAGER', { PAGER: 'sed s/^/paged:/' }, 'paged:one\npaged:two\n'],
    ['goes through $GIT_PAGER first', { GIT_PAGER: 'sed 1d', PAGER: 'sed 2d' }, 'two\n'],
    ['is as it is where none is wanted', { GIT_PAGER: '', PAGER: 'sed 2d' }, 'one\ntwo\n'],
  ])('%s', { tags: 'large' }, (_, env, shown) => {
    expect(paged(env)).toBe(shown)
  })

  test('is shown all the same where the pager cannot be run', { tags: 'large' }, () => {
    expect(paged({ PAGER: 'a-pager-that-is-none' })).toMatch(/one\ntwo\n$/)
  })
})

test('in a file it is as it is', () => {
  const env = { PATH: process.env['PATH'], PAGER: 'sed 2d' }
  const { stdout } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' })
  expect(stdout).toBe('one\ntwo\n')
})
