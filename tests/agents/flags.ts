import { execFile } from 'node:child_process'
import type { Adapter } from '@svc/runner/agents/adapter'
import { temporaryFolder } from '@svc/testing/temporary'
import type { Installed } from './tools/installed.ts'

/** Options of a row, as its arguments may hold them: whatever is not a value, a slot or the message. */
export function optionsOf({ argv, resumeArgv, rights }: Adapter): string[] {
  const words = [...argv, ...resumeArgv, ...Object.values(rights ?? {}).flat()].flat()
  return [...new Set(words.filter((word) => /^--?[A-Za-z]/.test(word)))]
}

/** What the search for an option must not find. */
const nobodyHasThis = '--nobody-has-this'

/** Those that neither stand in the tool's own help nor are taken by it all the same. */
export async function unknownOptions(installed: Installed, adapter: Adapter): Promise<string[]> {
  const { help, hidden = {} } = installed.tool
  const texts = await Promise.all(help.map((args) => said(installed, args)))
  const missing: string[] = []
  if (texts.some((text) => isIn(text, nobodyHasThis))) throw new Error('the help has every option')
  for (const option of optionsOf(adapter)) {
    if (texts.some((text) => isIn(text, option))) continue
    const proof = hidden[option]
    if (proof === undefined || !(await takes(installed, proof))) missing.push(option)
  }
  if (adapter.signIn && !(await saysNobody(installed, adapter.signIn))) {
    missing.push(adapter.signIn.args.join(' '))
  }
  return missing
}

/** In a home where nobody has signed in its command for that says so, in the words of the row. */
async function saysNobody(
  installed: Installed,
  { args, nobody }: NonNullable<Adapter['signIn']>,
): Promise<boolean> {
  using home = temporaryFolder()
  const env = { PATH: process.env['PATH'], HOME: home.path }
  const text = await said(installed, args, env)
  return nobody.some((words) => text.includes(words))
}

/** It ends for another reason, and would not with an option that it does not know. */
async function takes(installed: Installed, args: readonly string[]): Promise<boolean> {
  const [known, unknown] = await Promise.all([
    said(installed, args),
    said(installed, [nobodyHasThis, ...args]),
  ])
  return !isRefusal(known) && isRefusal(unknown)
}

const isRefusal = (text: string) =>
  /unknown (option|argument)|unexpected argument|unrecognized/i.test(text)

function isIn(text: string, option: string): boolean {
  return new RegExp(`(^|[\\s,\\[|])${option}(?=[\\s,=<\\[\\]|]|$)`, 'm').test(text)
}

/** What it prints on both of its streams, without a model to ask. */
async function said(
  { program }: Installed,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const options = { timeout: 60_000, maxBuffer: 8 * 1024 * 1024, env }
  const child = execFile(program, args, options, (_error, stdout, stderr) =>
    resolve(`${stdout}\n${stderr}`),
  )
  child.stdin?.end()
  return await promise
}
