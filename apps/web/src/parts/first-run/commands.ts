import { shellWord } from '@svc/contracts/shell-words'
import { calledBy } from '../../ui/svc-caller.ts'

/** Signs in, which a person approves in a browser, and then takes launches until Ctrl-C. */
export function runnerCommand({
  service,
  workspace,
}: {
  service: string
  workspace: string
}): string {
  const login = `svc login --url ${shellWord(service)} --workspace ${shellWord(workspace)}`
  return `${login} && svc runner start`
}

/** On a machine that is signed in already. */
export const startCommand = 'svc runner start'

/** Starts the runner with the agent that needs no model, which stands in a clone of svc. */
export function scriptedCommand(workspace: string | undefined): string {
  const start = calledBy('clone', startCommand, workspace)
  return `SVC_SCRIPTED_AGENT="$PWD/packages/scripted-agent/src/main.ts" ${start}`
}

export interface Link {
  project: string
  path: string
  /** The one of the project that it is a checkout of; one by the name of the folder where it is left out. */
  resource?: { key: string; isReadOnly: boolean } | undefined
}

export function linkCommand({ project, path, resource }: Link): string {
  return [
    `svc resource link ${shellWord(project)} ${pathWord(path)}`,
    ...(resource === undefined ? [] : [`--key ${shellWord(resource.key)}`]),
    // the command says anew how it is linked
    ...(resource?.isReadOnly ? ['--ro'] : []),
  ].join(' ')
}

/** What a project adds to its launches is looked at and trusted on each machine by itself. */
export function trustCommand(project: string): string {
  return `svc runner trust ${shellWord(project)}`
}

/** A shell reads ~ as the home of the person only where it stands outside of quotes. */
function pathWord(path: string): string {
  const [, home = '', rest = ''] = /^(~\/)?(.*)$/s.exec(path.trim()) ?? []
  return home + (rest === '' && home !== '' ? '' : shellWord(rest))
}
