import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommandLine } from '../program.ts'
import { environment, id, mission, objective, routes, useAnswers } from '../testing/answers.ts'
import { testCli } from '../testing/cli.ts'

useAnswers()

/** Each Tab starts a program, which on a busy machine comes late. */
const timeout = 300_000

const runs = (command: string) => spawnSync(command, ['--version']).status === 0
/** Gives a shell a terminal, which alone makes it complete. */
const { stdout: scriptVersion } = spawnSync('script', ['--version'], { encoding: 'utf8' })
const hasTerminal = String(scriptVersion).includes('util-linux')
const withoutShell = (shell: string) => (runs(shell) ? '' : `, where ${shell} is: not here`)

const ownMain = fileURLToPath(new URL('../main.ts', import.meta.url))

async function scriptOf(shell: string, main = ownMain): Promise<string> {
  const { cli, stdout } = testCli({})
  await runCommandLine({ ...cli, main }, ['completion', shell, '--within', '60'])
  return stdout.text
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-completion-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with a file to name and the script; the service knows a mission, its objective and a queue. */
async function scene(shell: string) {
  routes['GET /api/missions?limit=200'] = () => ({ missions: [mission] })
  routes['GET /api/missions?limit=200&projectId=web'] = () => ({ missions: [mission] })
  routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [objective] })
  routes['GET /api/projects/web/run-queues'] = () => ({
    queues: [{ id: id('30'), name: 'Night shift', state: 'idle' }],
  })
  const folder = ownFolder()
  writeFileSync(join(folder, 'report.json'), '{}')
  writeFileSync(join(folder, 'script'), await scriptOf(shell))
  const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'dumb', ...environment() }
  return { cwd: folder, env }
}

/** What is typed, and the words that a command then gets. */
const typed: [string, string[]][] = [
  ['svc mis\tsh\tweb:\t', ['missions', 'show', 'web:12']],
  ['svc launch w\t--ag\tclaude', ['launch', 'web:12.k7qd', '--agent', 'claude']],
  ['svc runs show web:12.\t', ['runs', 'show', 'web:12.k7qd']],
  ['svc queue start web N\t', ['queue', 'start', 'web', 'Night shift']],
  ['svc missions list --phase=ex\t', ['missions', 'list', '--phase=execute']],
  [
    'svc protocol deliver --report-file rep\t',
    ['protocol', 'deliver', '--report-file', 'report.json'],
  ],
  ['svc artifacts show web:12 n\t', ['artifacts', 'show', 'web:12', 'n']],
]

const shells = {
  bash: { start: 'bash --norc --noprofile -i', before: '', prompt: 'PS1="ready> "' },
  zsh: {
    start: 'zsh -f -i',
    before: 'autoload -U compinit && compinit -D',
    prompt: 'unsetopt zle_bracketed_paste; PS1="ready> "',
  },
}

describe.each(Object.entries(shells))('in %s', (name, { start, before, prompt }) => {
  const shell = runs(name) && hasTerminal ? test : test.skip
  shell(
    `a Tab completes commands, options, ids and files${withoutShell(name)}`,
    { timeout, tags: 'large' },
    async () => {
      const options = await scene(name)
      const terminal = openTerminal(start, options)
      const echo = `svc() { printf '<%s>' "$@"; echo ' done'; }`
      await terminal.type(
        `${before}\n${echo}\n. ./script\n${prompt}; echo 'begins' now\n`,
        'begins now',
      )
      for (const [line, words] of typed) {
        expect(await terminal.type(`${line}\n`, ' done')).toContain(
          words.map((one) => `<${one}>`).join(''),
        )
      }
    },
  )
})

const inFish = runs('fish') ? test : test.skip
inFish(`in fish they are offered${withoutShell('fish')}`, { timeout }, async () => {
  const options = await scene('fish')
  const offered = async (line: string) => {
    const program = ['--no-config', '-c', 'source script; complete -C $argv[1]', line]
    const fish = spawn('fish', program, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
    return (await text(fish.stdout)).trimEnd()
  }
  expect(await offered('svc missions sh')).toBe('show\tshow an overview of a mission')
  expect(await offered('svc missions show web:')).toBe('web:12\tDark mode now')
  expect(await offered('svc queue start web N')).toBe('Night shift\tidle')
  expect(await offered('svc missions list --phase=ex')).toBe('--phase=execute')
  expect(await offered('svc protocol deliver --report-file rep')).toContain('report.json')
  expect(await offered('svc artifacts show web:12 n')).toBe('')
})

/** A shell at a terminal: what it prints is read until a text appears. */
function openTerminal(command: string, { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  const shell = spawn('script', ['-qfec', command, '/dev/null'], { cwd, env, stdio: 'pipe' })
  onTestFinished(() => ended(shell))
  let shown = ''
  shell.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  const type = async (keys: string, until: string) => {
    shown = ''
    shell.stdin.write(keys)
    await expect.poll(() => stripVTControlCharacters(shown), { timeout }).toContain(until)
    return stripVTControlCharacters(shown)
  }
  return { type }
}

async function ended(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null) return
  const end = new Promise((resolve) => shell.once('close', resolve))
  shell.stdin?.end('exit\n')
  await end
}

describe('the script', () => {
  test.each(['bash', 'zsh', 'fish'])('for %s calls the program by its path', async (shell) => {
    const script = await scriptOf(shell, "/a place/that's it/apps/cli/src/main.ts")
    await expect(script.replace(process.execPath, '/node')).toMatchFileSnapshot(
      `golden/svc.${shell}`,
    )
  })
})
