import { NextStep } from '@svc/contracts/next-step'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { buildProgram } from '../program.ts'
import { testCli } from '../testing/cli.ts'
import { commandStep } from './next-step.ts'

const program = await buildProgram(testCli({}).cli)

/** The command that the words lead to, below the program. */
function commandOf(words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>((command, word) => {
    const next = command?.commands.find((it) => it.name() === word)
    return next ?? (command?.commands.length === 0 ? command : undefined)
  }, program)
}

/** Each step with every parameter known, and with those alone that it must have. */
const steps = NextStep.options.flatMap(({ shape }) => {
  const entries = Object.entries(shape.params.shape)
  const required = entries.filter(([, type]) => !type.safeParse(undefined).success)
  return [entries, required].map((given) => [
    shape.operation.value,
    Object.fromEntries(
      given.map(([name, type]) => [
        name,
        ['given:1', true, {}].find((value) => type.safeParse(value).success),
      ]),
    ),
  ])
})

describe('a next step', () => {
  test.each(steps)('%s with %j is said as commands that exist', (operation, params) => {
    const [purpose = '', said = ''] = commandStep(NextStep.parse({ operation, params })).split(
      /: (.*)/,
    )
    expect(purpose).not.toBe('')
    const commands = said.split(', then ')
    // npm alone brings another version of this program
    const own = commands.filter((command) => !command.startsWith('npm install --global svc-'))
    expect(own.every((command) => command.startsWith('svc '))).toBe(true)
    const found = own.map((command) => commandOf(command.split(' ').slice(1)))
    expect(found).not.toContain(undefined)
    expect(found).not.toContain(program)
  })
})
