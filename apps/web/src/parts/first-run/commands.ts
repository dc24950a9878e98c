import { shellWord } from '@svc/contracts/shell-words'

/** How `svc` is called on the machine: within a clone of svc, or installed from its package. */
export const callers = { clone: 'npm run -s svc --', installed: 'svc' } as const
export type Caller = keyof typeof callers

/** Signs in, which a person approves in a browser, and then takes launches until Ctrl-C. */
export function runnerCommand(
  caller: Caller,
  { service, workspace }: { service: string; workspace: string },
): string {
  const svc = callers[caller]
  const login = `${svc} login --url ${shellWord(service)} --workspace ${shellWord(workspace)}`
  return `${login} && ${svc} runner start`
}

export function linkCommand(
  caller: Caller,
  { project, path }: { project: string; path: string },
): string {
  return `${callers[caller]} resource link ${shellWord(project)} ${pathWord(path)}`
}

/** A shell reads ~ as the home of the person only where it stands outside of quotes. */
function pathWord(path: string): string {
  const [, home = '', rest = ''] = /^(~\/)?(.*)$/s.exec(path.trim()) ?? []
  return home + (rest === '' && home !== '' ? '' : shellWord(rest))
}
