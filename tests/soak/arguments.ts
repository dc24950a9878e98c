import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { SoakOptions } from './soak.ts'
import { soaks } from './soaks.ts'

/** What to print in place of running anything. */
export class HelpWanted extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

const amounts = {
  deliveries: { default: '4000', description: 'of webhooks' },
  sequences: { default: '2000', description: 'of model; needs has a twentieth' },
  steps: { default: '60', description: 'of each sequence of model and needs' },
  rounds: { default: '20', description: 'of races' },
  requests: {
    default: '',
    description: 'of runner (500), fuzz (20000) and quoting (4000 values in each shell)',
  },
  daemons: { default: '50', description: 'of runner' },
  minutes: { default: '20', description: 'of parts' },
} as const

const options = {
  ...amounts,
  seed: { default: '', description: 'which one; any when left out' },
  replay: {
    default: '',
    description: 'a seed that found something: shown as shortly as it can be',
  },
  only: { default: '', description: 'of defects, those with this in their name' },
} as const

const help = `npm run soak -- [name…] [--seed 7]

${table(Object.entries(soaks).map(([name, { description }]) => [name, description]))}

${table(Object.entries(options).map(([name, { default: value, description }]) => [`--${name} ${value}`, description]))}

Without a name, all of them, one after the other. Exits 1 where anything was found.`

/** Which soak tests, and how much of each. Throws HelpWanted for what cannot be read, and where help is asked for. */
export function readArguments(
  args: readonly string[],
  say: SoakOptions['say'],
): { names: string[]; options: Omit<SoakOptions, 'signal'> } {
  const { positionals, values } = parse(args)
  if (values.help === true) throw new HelpWanted(help, 0)
  const names = positionals.length > 0 ? positionals : Object.keys(soaks)
  const unknown = names.find((name) => !Object.hasOwn(soaks, name))
  if (unknown !== undefined) throw refused(`There is no soak test ${unknown}.`)
  const text = (name: keyof typeof options) => String(values[name] ?? '')
  const number = (name: keyof typeof options) => whole(name, text(name))
  const replay = text('replay')
  const seed = text('seed') === '' ? Date.now() % 1_000_000 : number('seed')
  return {
    names,
    options: {
      seed: replay === '' ? seed : number('replay'),
      replay: replay !== '',
      sequences: number('sequences'),
      steps: number('steps'),
      deliveries: number('deliveries'),
      rounds: number('rounds'),
      requests: text('requests') === '' ? undefined : number('requests'),
      daemons: number('daemons'),
      minutes: number('minutes'),
      only: text('only'),
      say,
    },
  }
}

function parse(args: readonly string[]) {
  const config: ParseArgsConfig['options'] = { help: { type: 'boolean', short: 'h' } }
  for (const [name, { default: value }] of Object.entries(options)) {
    config[name] = { type: 'string', default: value }
  }
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: config })
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error))
  }
}

function whole(name: string, given: string): number {
  if (/^[0-9]{1,9}$/.test(given)) return Number(given)
  throw refused(`--${name} takes a whole number, and not "${given}".`)
}

function refused(why: string): HelpWanted {
  return new HelpWanted(`${why}\n\n${help}`, 64)
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map(([name = '', text]) => `  ${name.padEnd(19)} ${text}`).join('\n')
}
