import { describe, expect, test } from 'vitest'
import type { Adapter } from '../agents/adapter.ts'
import { builtInAdapters } from '../agents/rows.ts'
import { type ArgvInput, agentArguments, shownArguments } from './argv.ts'

const [scripted, claude, codex] = builtInAdapters
const isToldByArguments = ({ protocol }: Adapter) => protocol === 'argv'
const input: ArgvInput = {
  model: 'opus',
  effort: 'high',
  flags: ['--verbose', '--name=x'],
  rights: 'work',
  allowedCommands: [],
  contextFile: '/w/.svc/tmp/briefing.md',
  briefing: 'Say "hi"\n\u007f',
  cwd: '/w',
  gitFolder: '/r/.git',
  otherFolders: [],
  otherGitFolders: [],
  sessionId: '0190a000-0000-7000-8000-000000000001',
  isResumed: false,
  message: '--start now',
}

describe('the arguments of an agent', () => {
  test('give the briefing as system-prompt file [briefing.system-prompt-file]', () => {
    expect(agentArguments(scripted, input)).toEqual([
      '--system-prompt-file',
      '/w/.svc/tmp/briefing.md',
      '--session-id',
      input.sessionId,
      '--model',
      'opus',
      '--verbose',
      '--name=x',
      '--',
      '--start now',
    ])
    expect(agentArguments(claude, input).join(' ')).toContain(
      '--append-system-prompt-file /w/.svc/tmp/briefing.md',
    )
  })

  test.each(builtInAdapters.filter(isToldByArguments))(
    'give $key the model, the flags and the message',
    (agent) => {
      const words = agentArguments(agent, input)
      expect(words).toEqual(expect.arrayContaining(['opus', ...input.flags]))
      expect(words.at(-1)).toContain(input.message)
    },
  )

  test.each(builtInAdapters.filter((agent) => !isToldByArguments(agent)))(
    'give $key its flags, and leave what it is told to the protocol',
    (agent) => {
      const words = agentArguments(agent, { ...input, isResumed: true })
      expect(words).toEqual(expect.arrayContaining([...input.flags]))
      expect(words).not.toContain(input.message)
    },
  )

  test.each(builtInAdapters.filter(({ sessionId }: Adapter) => sessionId !== 'none'))(
    'name to $key the conversation that it goes on with',
    (agent) => {
      expect(agentArguments(agent, { ...input, isResumed: true })).toContain(input.sessionId)
    },
  )

  test('go on with a conversation where there is one', () => {
    const resumed = { ...input, isResumed: true }
    for (const [agent, words] of [
      [scripted, `--resume ${input.sessionId}`],
      [claude, `--resume ${input.sessionId}`],
      [codex, `resume ${input.sessionId} -- --start now`],
    ] as const) {
      expect(agentArguments(agent, resumed).join(' ')).toContain(words)
      expect(agentArguments(agent, resumed)).not.toContain('--session-id')
    }
  })

  test('leave out a flag without its value', () => {
    const argv = agentArguments(claude, { ...input, model: null, effort: null, flags: [] })
    expect(argv).not.toContain('--model')
    expect(argv).not.toContain('--effort')
    expect(argv.slice(-2)).toEqual(['--', '--start now'])
  })

  test('spell a briefing that travels as text for the configuration language', () => {
    const argv = agentArguments(codex, input)
    expect(argv).toContain(String.raw`developer_instructions="Say \"hi\"\n\u007f"`)
    expect(argv).toContain('model_reasoning_effort="high"')
    expect(shownArguments(codex, input)).toContain('developer_instructions=<briefing>')
  })

  test('pass on every word as it is written', () => {
    const flags = [
      '-c',
      'approval_policy=never',
      '--allowedTools',
      'Bash(npm test:*)',
      `it's "$1",`,
    ]
    const argv = agentArguments(codex, { ...input, flags, model: 'sonnet[1m]' })
    expect(argv).toEqual(expect.arrayContaining(['sonnet[1m]', ...flags]))
  })

  test('let Claude Code commit, and run what the project allows', () => {
    const allowedOf = (allowedCommands: string[]) => {
      const argv = agentArguments(claude, { ...input, allowedCommands })
      return argv.filter((_, at) => argv[at - 1] === '--allowedTools')
    }
    const always = ['Bash(svc:*)', 'Bash(git add:*)', 'Bash(git commit:*)']
    expect(allowedOf([])).toEqual(always)
    const both = ['Bash(npm test:*)', 'Bash(make check:*)']
    expect(allowedOf(['npm test', 'make check'])).toEqual([...always, ...both])
    expect(agentArguments(claude, input).filter((word) => word === '--allowedTools')).toHaveLength(
      3,
    )
  })

  test('quote for the configuration language what stands in its quotes', () => {
    const argv = agentArguments(codex, {
      ...input,
      effort: 'x" #',
      gitFolder: String.raw`/r"\d/.git`,
    })
    expect(argv).toContain(String.raw`model_reasoning_effort="x\" #"`)
    expect(argv).toContain(String.raw`sandbox_workspace_write.writable_roots=["/r\"\\d/.git"]`)
  })

  test('let the agent write and commit in the other resources that it works in', () => {
    const others = { otherFolders: ['/o', '/p q'], otherGitFolders: ['/o/.git', '/r/.git'] }
    expect(agentArguments(codex, { ...input, ...others })).toContain(
      'sandbox_workspace_write.writable_roots=["/r/.git","/o","/p q","/o/.git"]',
    )
    const added = agentArguments(claude, { ...input, ...others }).join(' ')
    expect(added).toContain('--add-dir /o --add-dir /p q ')
    expect(agentArguments(claude, input)).not.toContain('--add-dir')
  })

  test('point at the file when the briefing is too long for an argument', () => {
    const argv = agentArguments(codex, { ...input, briefing: 'ä'.repeat(60_000) })
    expect(argv.join(' ')).toContain('Read the file /w/.svc/tmp/briefing.md')
  })

  test('take braces in a message as they are', () => {
    expect(agentArguments(scripted, { ...input, message: '{model}' }).at(-1)).toBe('{model}')
  })

  test.each([
    { model: '--dangerous' },
    { model: 'a\nb' },
    { effort: '-c' },
    { effort: 'a\0b' },
    { flags: ['--x\ny'] },
    { flags: [''] },
  ])('refuse what could be read as something else: %j', (change) => {
    expect(() => agentArguments(scripted, { ...input, ...change })).toThrow(
      'cannot stand on a command line',
    )
  })
})
