import { spawn } from 'node:child_process'

interface Opener {
  program: string
  args: string[]
}

/** Whether it was opened: there is none over SSH, nor on a machine without a screen. */
export async function openInBrowser(env: NodeJS.ProcessEnv, address: string): Promise<boolean> {
  const opener = openerFor(env, address)
  if (opener === undefined) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const child = spawn(opener.program, opener.args, { env, stdio: 'ignore', detached: true })
  child.once('error', () => resolve(false))
  child.once('spawn', () => resolve(true))
  child.unref()
  return promise
}

/** What the person has named in BROWSER is asked even over SSH: it may well open one where they sit. */
export function openerFor(
  env: NodeJS.ProcessEnv,
  address: string,
  platform: NodeJS.Platform = process.platform,
): Opener | undefined {
  if (env['BROWSER']) return { program: env['BROWSER'], args: [address] }
  if (env['SSH_CONNECTION'] || env['SSH_TTY']) return undefined
  if (platform === 'darwin') return { program: 'open', args: [address] }
  if (platform === 'win32') {
    return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', address] }
  }
  const hasScreen = Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  return hasScreen ? { program: 'xdg-open', args: [address] } : undefined
}
