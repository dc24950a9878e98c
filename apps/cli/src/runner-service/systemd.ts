import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { daemonExitCode } from '@svc/runner/daemon/daemon-error'
import type { KeptRunner } from './kept-runner.ts'
import type { ManagedState, Manager, Step } from './manager.ts'

const unit = 'svc-runner.service'

const user = (...args: string[]): Step => ({ words: ['systemctl', '--user', ...args] })

/** A person has to do something about these first; starting again would not. */
const final = [
  daemonExitCode.configuration,
  daemonExitCode.credential,
  daemonExitCode.unknownProject,
  daemonExitCode.notPossible,
].join(' ')

/** The user's own instance of systemd, which needs no root. */
export const systemd: Manager = {
  name: 'systemd',
  logs: () => `journalctl --user --unit ${unit} --follow`,
  file: (env) =>
    join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'systemd/user', unit),
  describe: unitText,
  start: (_file, isNews) => [
    user('daemon-reload'),
    user('enable', unit),
    user(isNews ? 'restart' : 'start', unit),
    lingering(),
  ],
  stop: () => [user('disable', '--now', unit)],
  forget: [user('daemon-reload')],
  asks: user('show', unit, '--property=LoadState,ActiveState,UnitFileState,MainPID').words,
  read: readState,
}

/** Without it systemd ends all that is the user's once they have logged out, runs too. */
function lingering(): Step {
  const { username } = userInfo()
  return {
    words: ['loginctl', 'enable-linger', username],
    otherwise: `The runner ends when ${username} logs out, and starts only at the next login, until this is run: sudo loginctl enable-linger ${username}`,
  }
}

function unitText({ baseUrl, command, env, home }: KeptRunner): string {
  const variables = Object.entries(env).map(
    ([name, value]) => `Environment=${word(`${name}=${value}`)}`,
  )
  const [program = '', ...args] = command
  return `# Written by svc runner service install, which writes it anew: what you add belongs into ${unit}.d
[Unit]
Description=svc runner for ${plain(baseUrl)}
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${[word(program), ...args.map(argument)].join(' ')}
${variables.join('\n')}
WorkingDirectory=${plain(home.folder)}
# Runs are processes of their own: they go on, and the next start finds them.
KillMode=process
TimeoutStopSec=30
# A program of an agent that takes too much memory ends alone.
OOMPolicy=continue
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=${final}

[Install]
WantedBy=default.target
`
}

/** A value in a unit file: percent signs are doubled, since systemd expands them, and control characters become spaces. */
function plain(text: string): string {
  return text.replaceAll('%', '%%').replaceAll(/[\p{Cc}]/gu, ' ')
}

/** One word in quotes, whatever it holds. */
function word(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
  return `"${escaped}"`
}

/** The same as an argument of a program, in which systemd would fill in variables. */
function argument(text: string): string {
  return word(text).replaceAll('$', '$$$$')
}

function readState({ code, output }: { code: number; output: string }): ManagedState {
  const found = new Map(
    output.split('\n').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
  )
  const isKnown = code === 0 && found.get('LoadState') === 'loaded'
  return {
    state: isKnown ? (found.get('ActiveState') ?? null) : null,
    startsByItself: isKnown && found.get('UnitFileState') === 'enabled',
    process: Number(found.get('MainPID')) || null,
  }
}
