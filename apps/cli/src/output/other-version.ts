import { commandOf, purposeOf } from '@svc/contracts/next-step'
import { isOlder, version } from '@svc/contracts/version'
import { type Cli, say } from '../cli.ts'
import { shellWord } from '@svc/contracts/shell-words'

/** Which versions are too far apart, and how this machine gets the one of the service. */
export function otherVersion({ repositoryRoot }: Cli, served: string): string {
  const both = `the service is version ${served}, and this svc is ${version}`
  if (repositoryRoot === undefined) {
    const step = { operation: 'installVersion', params: { version: served } } as const
    return `${both}. ${purposeOf(step)}: ${commandOf(step)}`
  }
  if (isOlder(served, version)) return `${both}: bring the service to that version`
  return `${both}: bring its checkout to that version, as with git -C ${shellWord(repositoryRoot)} pull`
}

const warned = new WeakSet<Cli>()

/** Once, and to no agent, which can do nothing about it. */
export function warnOfOtherVersion(cli: Cli, served: string): void {
  if (warned.has(cli) || cli.env['SVC_EXECUTION_REQUEST_ID']) return
  warned.add(cli)
  say(cli, `warning: ${otherVersion(cli, served)}`)
}
