import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@svc/testing/temporary'
import { insideOf } from './is-inside.ts'
import { judgeCall } from './judge-call.ts'
import { choose, questionOf, wantedCall } from './permission-request.ts'

test.each([
  [{ rawInput: { command: 'git status' } }, 'git status'],
  [{ rawInput: { command: ['bash', '-lc', 'git status'] } }, 'git status'],
  [
    { rawInput: { command: ['git', 'commit', '-m', "it's"] } },
    String.raw`'git' 'commit' '-m' 'it'\''s'`,
  ],
  [{ title: 'svc protocol attach [in /w] (attach to the run)' }, 'svc protocol attach'],
  [{ title: 'svc x [in /w] ; rm -rf ~ [in /w] (x)' }, 'svc x [in /w] ; rm -rf ~'],
])('the command of a call is found: %j', (asked, command) => {
  expect(wantedCall({ kind: 'execute', ...asked }, {}, '/w').command).toBe(command)
})

test.each([
  'ls; (rm -rf ~)',
  'echo done && (npm publish)',
  'ls | (sh)',
  'ls\n (rm -rf ~)',
  'ls () (rm -rf ~); ls # (lists files)',
  'ls ( ) (rm -rf ~); ls # (lists files)',
  'ls [in x; rm -rf ~; echo ]',
  'ls [in $(rm -rf ~)]',
  '`cat orders`',
])('a title that a shell would run more of is judged whole: %j', (title) => {
  const call = wantedCall({ kind: 'execute', title }, {}, '/w')
  const rights = { rights: 'work', allowedCommands: [], isInside: () => true } as const
  expect([call.command, judgeCall(call, rights)]).toEqual([title, 'ask'])
})

test('what was said of a call before its request counts, and a tool that edits runs no command', () => {
  const earlier = {
    kind: 'edit',
    title: 'Edit',
    rawInput: { command: 'str_replace', path: 'a.ts' },
  }
  const call = wantedCall({ toolCallId: '1', locations: [{ path: '/w/b.ts' }] }, earlier, '/w')
  expect(call).toMatchObject({ kind: 'edit', command: undefined, paths: ['/w/b.ts', 'a.ts'] })
})

const options = [
  { optionId: 'a', name: 'Always', kind: 'allow_always' },
  { optionId: 'o', name: 'Once', kind: 'allow_once' },
  { optionId: 'a b', name: 'Never', kind: 'reject_always' },
] as const

test('an answer grants no more than it has to', () => {
  expect(choose(options, 'allow')).toEqual({ outcome: 'selected', optionId: 'o' })
  expect(choose(options, 'refuse')).toEqual({ outcome: 'selected', optionId: 'a b' })
  expect(choose([], 'refuse')).toEqual({ outcome: 'cancelled' })
})

test('a person chooses among what the agent offers', () => {
  const call = wantedCall({ kind: 'execute', rawInput: { command: 'npm publish' } }, {}, '/w')
  const asked = questionOf('gemini', call, options, (text) => text)
  expect(asked.question).toContain('npm publish')
  expect(asked.options.map(({ id }) => id)).toEqual(['a-1', 'o-2', '3'])
  const outcome = (optionId: string | null, text: string) => asked.outcomeOf({ optionId, text })
  expect(outcome('3', 'Never')).toEqual({ outcome: 'selected', optionId: 'a b' })
  expect(outcome(null, 'Once')).toEqual({ outcome: 'selected', optionId: 'o' })
  expect(outcome(null, 'What?')).toEqual({ outcome: 'selected', optionId: 'a b' })
})

test('a path lies inside of a folder where links lead into it, and Git keeps nothing there', () => {
  using inside = temporaryFolder()
  using outside = temporaryFolder()
  const at = (...names: string[]) => join(inside.path, ...names)
  mkdirSync(at('src'))
  symlinkSync(outside.path, at('out'))
  symlinkSync(join(outside.path, 'not-there'), at('dangling'))
  const isInside = insideOf([inside.path])
  const paths = [
    'src/new/a.ts',
    'out/a.ts',
    'dangling',
    '.git/config',
    'src/.git',
    '../a.ts',
    '.gitignore',
  ]
  expect(paths.map((path) => isInside(at(path)))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
    true,
  ])
})
