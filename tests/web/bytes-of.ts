import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Response } from 'playwright-core'

/** What an answer costs on its way to a browser: a built file as it lies there, anything else as it was sent. */
export async function bytesOf(response: Response, folder: string): Promise<number> {
  const { pathname } = new URL(response.url())
  const built = join(folder, `${pathname}.br`)
  if (pathname.startsWith('/assets/') && existsSync(built)) return statSync(built).size
  // it does not end
  if (pathname.endsWith('/feed')) return 0
  return (await response.request().sizes()).responseBodySize
}
