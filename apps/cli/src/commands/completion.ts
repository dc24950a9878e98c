import { readFileSync } from 'node:fs'
import { type Command, Argument } from 'commander'
import { type Cli, write } from '../cli.ts'
import { complete } from '../completion/complete.ts'
import type { Candidate, Completion } from '../completion/sources.ts'
import { usageFailure } from '../output/failure.ts'
import { shellWord } from '@svc/contracts/shell-words'
import { oneLine } from '../output/terminal.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

export function define(command: Command, cli: Cli): void {
  command
    .addArgument(new Argument('<shell>', 'whose script to print').choices(shells))
    .argument('[words...]', 'behind --, as the script asks: what may stand for the last of them')
    .option('--within <seconds>', 'how long the service may take to name what it knows', '1')
    .addHelpText('after', help)
    .action(async (shell: Shell, words: string[], { within }: { within: string }) => {
      if (!(Number(within) > 0)) throw usageFailure('--within takes a number of seconds.')
      if (words.length === 0) return write(cli, scriptFor(cli, shell, within))
      const asking = { cli, withinMs: Number(within) * 1_000 }
      const completion = await complete(asking, command.parent ?? command, words)
      return write(cli, answerFor(shell, completion))
    })
}

const help = `
Commands, options and their values are completed from what --help prints, and missions, objectives, projects,
queues and open questions from what the service says.
Where svc is an alias, zsh needs setopt complete_aliases before.

Examples:
  svc completion bash > ~/.svc-completion && echo '. ~/.svc-completion' >> ~/.bashrc
  svc completion zsh > ~/.svc-completion && echo '. ~/.svc-completion' >> ~/.zshrc    # behind compinit
  svc completion fish > ~/.config/fish/completions/svc.fish`

/** It calls this program by its path, so that it is found wherever the shell stands. */
function scriptFor({ main }: Cli, shell: Shell, within: string): string {
  const file = new URL(import.meta.resolve(`#completion/svc.${shell}`))
  const called = [process.execPath, main, 'completion', shell, '--within', within, '--']
  const quoted = called.map((word) => quote[shell](word)).join(' ')
  return readFileSync(file, 'utf8').replace('@complete@', () => quoted)
}

const quote: Record<Shell, (word: string) => string> = {
  bash: shellWord,
  zsh: shellWord,
  fish: (word) => `'${word.replaceAll(/['\\]/g, String.raw`\$&`)}'`,
}

/** What the script reads: in the first line what comes behind the word, then a candidate a line. */
function answerFor(shell: Shell, { ending, candidates }: Completion): string {
  return [ending, ...candidates.map(lineIn[shell])].join('\n')
}

const lineIn: Record<Shell, (candidate: Candidate) => string> = {
  bash: ({ value }) => value,
  zsh: ({ value, about }) =>
    [value.replaceAll(/[:\\]/g, String.raw`\$&`), ...explanation(about)].join(':'),
  fish: ({ value, about }) => [value, ...explanation(about)].join('\t'),
}

function explanation(about: string | undefined): string[] {
  const text = oneLine(about ?? '')
  return text === '' ? [] : [text]
}
