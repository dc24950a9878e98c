import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { protocolContracts } from '@svc/contracts/protocol'
import { buildProgram } from './program.ts'
import { runInTest, testCli } from './testing/cli.ts'

function walk(command: Command): Command[] {
  return [command, ...command.commands.flatMap(walk)]
}

function path(command: Command): string {
  return command.parent ? `${path(command.parent)} ${command.name()}` : command.name()
}

const { cli } = testCli({})
const run = (...argv: string[]) => runInTest({}, ...argv)
const commands = walk(await buildProgram(cli))

describe('every command', () => {
  test.each(commands.map((command) => [path(command), command] as const))(
    '%s has an example that names it, and a description',
    (name, command) => {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
      const examples = help.split('Examples:\n')[1]?.split('\n\n')[0] ?? ''
      expect(
        examples.split('\n').some((line) => line.startsWith(`  ${name} `) || line.trim() === name),
      ).toBe(true)
      expect(command.description()).not.toBe('')
      expect(help).not.toContain('default: []')
    },
  )

  test('of the agent protocol stands for an operation of the contract', () => {
    const protocol = commands.find((command) => path(command) === 'svc protocol')
    const names = protocol?.commands.map((command) => command.name()) ?? []
    expect(names.toSorted()).toEqual(Object.keys(protocolContracts).toSorted())
  })

  test('takes no token on its command line', () => {
    const free = commands.flatMap(({ options }) => options.filter((option) => !option.argChoices))
    const flags = free.map((option) => option.long)
    // the tokens of a budget are those of a model, and a number
    expect(flags.filter((flag) => flag?.includes('token'))).toEqual([
      '--token-file',
      '--budget-tokens',
    ])
  })
})

describe('a command line', () => {
  test.each([
    [['lunch'], "usage: unknown command 'lunch'; did you mean launch?\n"],
    [['missions', 'lst'], "usage: unknown command 'lst'; did you mean list?\n"],
    [
      ['search', 'dark'],
      "usage: unknown command 'search'; did you mean svc missions list --query <words>?\n",
    ],
    [['whoami', '--jsn'], "usage: unknown option '--jsn'; did you mean --json?\n"],
    [
      ['agents', 'setup', 'clod'],
      "usage: command-argument value 'clod' is invalid for argument 'agent'. Allowed choices are claude, codex, gemini, cursor, opencode, copilot; see svc agents setup --help.\n",
    ],
    [
      ['objectives', 'add', 'web:1', 'Third'],
      "usage: too many arguments for 'add'. Expected 1 argument but got 2: web:1, Third; what is to be done goes behind --objective.\n",
    ],
    [
      ['missions', 'create', 'web', 'Dark mode', 'Add a switch.'],
      "usage: too many arguments for 'create'. Expected 2 arguments but got 3: web, Dark mode, Add a switch.; what is to be done goes behind --objective.\n",
    ],
    [['runs', 'show'], "usage: missing required argument 'run'; see svc runs show --help.\n"],
  ])('%j is refused in one line', async (argv, line) => {
    expect(await run(...argv)).toEqual({ code: 2, stdout: '', stderr: line })
  })

  test.each([
    [['missions', 'show', ''], '<mission> is empty: it takes display id or UUID.'],
    [['launch', ' '], '<objective-or-mission> is empty: it takes display id or UUID of'],
    [['runs', 'show', ''], '<run> is empty: it takes id of the run, or display id of'],
    [['artifacts', 'show', 'web:12', ''], '<artifact> is empty'],
    [['missions', 'delete', 'web:12', ''], '<missions> is empty'],
    [['questions', 'answer', 'web:12.k7qd', ''], '<text> is empty: it takes the answer in words'],
    [['queue', 'create', 'web', ''], '<name> is empty: give one.'],
  ])('%j names nothing, and is refused before anything is sent', async (argv, message) => {
    const { code, stderr } = await run(...argv)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`usage: ${message}`),
    })
  })

  test('may give what agents share an empty text', async () => {
    const { stderr } = await run('missions', 'state', 'set', 'web:12', 'port', '')
    expect(stderr).toMatch(/^no_credential/)
  })

  test.each([
    [['lunch', '--json'], "unknown command 'lunch'; did you mean launch?"],
    [['--json', 'whoami', '--no-such'], "unknown option '--no-such'; see svc whoami --help."],
    [['missions', '--json'], 'a command is missing; see svc missions --help.'],
  ])('%j is refused as JSON', async (argv, message) => {
    const { code, stdout, stderr } = await run(...argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'usage', message } })
  })

  test('of a group alone prints its help on stderr', async () => {
    const { code, stderr } = await run('missions')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Usage: svc missions/)
  })

  test('that cannot know the service says what to do and exits 3', async () => {
    expect(await run('whoami')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'no_credential: No service is known: run npm start, or svc login --url <address>.\n',
    })
  })

  test.each([
    [['missions', 'create'], 'a list of {instruction, title, assigned_agent, model,'],
    [['objectives', 'add'], 'reasoning_effort, resource_key, check}'],
    [['webhooks', 'create'], '"mission.delivered", "mission.status_changed",'],
  ])('of %j --help names what may be given', async (argv, names) => {
    const { stdout } = await run(...argv, '--help')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(names)
  })

  test('of --version prints the version of the package', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    )
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([[['--help']], [['help', 'missions']], [['launch', '--help']], [[]]])(
    '%j prints help on stdout and exits 0',
    async (argv) => {
      const { code, stdout, stderr } = await run(...argv)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('Examples:')
    },
  )

  test.each([
    [['runner', 'start', '--label', ' '], 'usage: --label takes a name'],
    [['protocol', 'update', '--text', 'x'], 'usage: No session is known here'],
    [
      ['protocol', 'heartbeat', '--session-key', 's', '--percent', 'half'],
      'usage: heartbeat: percent',
    ],
    [['protocol', 'deliver', '--session-key', 's', '--summary', ''], 'usage: deliver: summary'],
    [
      ['protocol', 'attach', '--agent', 'x', '--generation', 'one'],
      'usage: --generation takes a whole number',
    ],
  ])('%j is refused before anything is sent', async (argv, beginning) => {
    const { code, stderr } = await run(...argv)
    expect(code).toBe(2)
    expect(stderr.slice(0, beginning.length)).toBe(beginning)
  })
})
