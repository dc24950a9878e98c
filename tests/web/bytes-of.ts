import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Response } from 'playwright-core'

const sizes = new Map<string, number>()

/** As an image has it, which takes the time to compress as well as can be; names of files say what is in them. */
function sizeInImage(path: string): number {
  const known = sizes.get(path)
  if (known !== undefined) return known
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const size = brotliCompressSync(readFileSync(path), { params }).byteLength
  sizes.set(path, size)
  return size
}

/** What an answer costs on its way to a browser: a built file as an image has it, anything else as it was sent. */
export async function bytesOf(response: Response, folder: string): Promise<number> {
  const { pathname } = new URL(response.url())
  const built = join(folder, pathname)
  if (pathname.startsWith('/assets/') && existsSync(built)) return sizeInImage(built)
  // it does not end
  if (pathname.endsWith('/feed')) return 0
  return (await response.request().sizes()).responseBodySize
}
