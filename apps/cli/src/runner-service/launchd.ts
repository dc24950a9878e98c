import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { KeptRunner } from './kept-runner.ts'
import type { ManagedState, Manager, Step } from './manager.ts'

const label = 'svc.runner'

const domain = () => `gui/${userInfo().uid}`
const target = () => `${domain()}/${label}`
const logOf = ({ home }: Pick<KeptRunner, 'home'>) => join(home.folder, 'service.log')

/** macOS: an agent of the user, which runs while they are logged in. */
export const launchd: Manager = {
  name: 'launchd',
  logs: (kept) => `tail -f ${logOf(kept)}`,
  file: (env) => join(env['HOME'] || homedir(), 'Library/LaunchAgents', `${label}.plist`),
  describe: (kept) => propertyList(agentOf(kept)),
  start: (file, isNews) => [
    ...(isNews ? [stop()] : []),
    { words: ['launchctl', 'enable', target()] },
    { words: ['launchctl', 'bootstrap', domain(), file], ...(!isNews && { otherwise: '' }) },
  ],
  stop: () => [stop()],
  forget: [],
  get asks() {
    return ['launchctl', 'print', target()] as const
  },
  read: readState,
}

/** It fails where none is loaded, which is as well. */
function stop(): Step {
  return { words: ['launchctl', 'bootout', target()], otherwise: '' }
}

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

/** The keys are those of launchd.plist(5). */
function agentOf(kept: KeptRunner): Record<string, Value> {
  return {
    Label: label,
    ProgramArguments: kept.command,
    EnvironmentVariables: kept.env,
    WorkingDirectory: kept.home.folder,
    RunAtLoad: true,
    // again after a failure, and not after a drain
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 30,
    // runs are processes of their own: they go on, and the next start finds them
    AbandonProcessGroup: true,
    ExitTimeOut: 30,
    StandardOutPath: logOf(kept),
    StandardErrorPath: logOf(kept),
  }
}

function propertyList(value: Value): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${element(value)}
</plist>
`
}

function element(value: Value): string {
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (isList(value)) return ['<array>', ...value.map(element), '</array>'].join('\n')
  const entries = Object.entries(value).flatMap(([key, one]) => [
    `<key>${escaped(key)}</key>`,
    element(one),
  ])
  return ['<dict>', ...entries, '</dict>'].join('\n')
}

/** As Array.isArray, which does not know lists that cannot be changed. */
function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function readState({ code, output }: { code: number; output: string }): ManagedState {
  const find = (name: string) => new RegExp(`^\\s*${name} = (.+)$`, 'm').exec(output)?.[1]
  const isKnown = code === 0
  return {
    state: isKnown ? (find('state') ?? 'loaded') : null,
    startsByItself: isKnown,
    process: (isKnown && Number(find('pid'))) || null,
  }
}
