import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

// Answers every call with what `reply.json` holds and writes down how it was called.
const recorder = `#!${process.execPath}
const fs = require('node:fs')
fs.appendFileSync(__dirname + '/calls', JSON.stringify(process.argv.slice(2)) + '\\n')
process.stdout.write(fs.readFileSync(__dirname + '/reply.json'))
`

let root: string
let folder: string
let children: ChildProcess[]

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'svc-scripted-'))
  folder = join(root, 'work')
  fs.mkdirSync(folder)
  fs.writeFileSync(join(root, 'svc'), recorder, { mode: 0o755 })
  reply({ directive: 'continue', currentObjective: { title: 'Add a switch' } })
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  fs.rmSync(root, { recursive: true })
})

function reply(answer: object): void {
  fs.writeFileSync(join(root, 'reply.json'), JSON.stringify(answer))
}

function start(instruction: string): ChildProcess {
  const briefing = join(root, 'briefing.md')
  fs.writeFileSync(briefing, `## Your objective\n\n${instruction}\nscripted: slow=0\n`)
  const path = [root, dirname(process.execPath), process.env['PATH']].join(delimiter)
  const child = spawn(process.execPath, [program, '--system-prompt-file', briefing], {
    cwd: folder,
    env: { ...process.env, PATH: path, GIT_CEILING_DIRECTORIES: root },
  })
  children.push(child)
  return child
}

async function run(instruction: string) {
  const [code, signal] = await once(start(instruction), 'exit')
  return { code, signal }
}

function calls(): string[][] {
  const path = join(root, 'calls')
  if (!fs.existsSync(path)) return []
  return fs
    .readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const operations = () => calls().map(([, operation]) => operation)

describe('the scripted agent', () => {
  test(
    'commits on the branch that is checked out and delivers with a rationale for its file',
    { tags: 'large' },
    async () => {
      const git = (...args: string[]) =>
        execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
      git('init', '--quiet', '--initial-branch', 'add-a-switch-1')
      expect(await run('Add it.')).toEqual({ code: 0, signal: null })
      expect(git('log', '--format=%s|%an', 'add-a-switch-1').trim()).toBe(
        'Add a switch|svc scripted agent',
      )
      expect(git('status', '--porcelain')).toBe('')
      expect(operations()).toEqual(['attach', 'update', 'add-artifact', 'deliver'])
      const option = '--change-rationales-json='
      const given =
        calls()
          .at(-1)
          ?.find((word) => word.startsWith(option)) ?? ''
      expect(JSON.parse(given.slice(option.length))).toMatchObject([
        { filePath: 'scripted-agent.md' },
      ])
    },
  )

  test('writes its file and delivers where there is no repository', { tags: 'large' }, async () => {
    expect(await run('Add it.')).toEqual({ code: 0, signal: null })
    expect(fs.readFileSync(join(folder, 'scripted-agent.md'), 'utf8')).toBe('- Add a switch\n')
    expect(operations()).toContain('deliver')
  })

  test('stops when a reply tells it to', async () => {
    reply({ directive: 'stop' })
    expect(await run('Add it.')).toEqual({ code: 0, signal: null })
    expect(operations()).toEqual(['attach'])
  })

  test('crashes before or after it attached, as told', { tags: 'large' }, async () => {
    expect(await run('scripted: crash-before-attach')).toEqual({ code: null, signal: 'SIGKILL' })
    expect(operations()).toEqual([])
    expect(await run('scripted: crash-after-attach')).toEqual({ code: null, signal: 'SIGKILL' })
    expect(operations()).toEqual(['attach'])
  })

  test('asks one question, and ends while nobody has answered', async () => {
    reply({ directive: 'continue', status: 'open' })
    expect(await run('scripted: ask-and-exit')).toEqual({ code: 0, signal: null })
    expect(operations()).toEqual(['attach', 'ask'])
  })

  test(
    'waits for the answer where it is told to, and works with it',
    { tags: 'large' },
    async () => {
      reply({ directive: 'continue', status: 'delivered' })
      expect(await run('scripted: ask')).toEqual({ code: 0, signal: null })
      expect(calls()[1]).toContain('--wait')
      expect(operations()).toEqual(['attach', 'ask', 'update', 'add-artifact', 'deliver'])
    },
  )

  test('does not ask again when it attaches to the answer', { tags: 'large' }, async () => {
    reply({ directive: 'continue', pendingAnswers: [{ answer: 'English.' }] })
    expect(await run('scripted: ask-and-exit')).toEqual({ code: 0, signal: null })
    expect(operations()).toEqual(['attach', 'update', 'add-artifact', 'deliver'])
  })

  test('exits with the code it is told to', { tags: 'large' }, async () => {
    expect(await run('scripted: exit-after-deliver=3')).toEqual({ code: 3, signal: null })
  })

  test('outlives signals that it is told to ignore', async () => {
    const child = start('scripted: ignore-signals hang-before-attach')
    for await (const chunk of child.stdout ?? []) {
      const said = String(chunk)
      if (said.includes('hanging')) child.kill('SIGTERM')
      if (said.includes('ignoring SIGTERM')) break
    }
    expect(child.exitCode).toBeNull()
    expect(child.signalCode).toBeNull()
  })
})
