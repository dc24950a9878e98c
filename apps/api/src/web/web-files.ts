import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { accepts } from '@svc/http/accept-encoding'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** In the order in which they are preferred. */
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** A built file as its reader takes it; undefined where there is none of that name. Files are read once. */
export async function readWebFile(
  folder: string,
  name: string,
  acceptEncoding = '',
): Promise<{ bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> } | undefined> {
  const path = join(folder, name)
  const type = types[extname(name)]
  if (type === undefined || !existsSync(path)) return undefined
  const encoding = encodings.find(
    (one) => accepts(acceptEncoding, one.name) && existsSync(path + one.ending),
  )
  const bytes = await read(path + (encoding?.ending ?? ''))
  return {
    bytes,
    headers: {
      'content-type': type,
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding.name }),
    },
  }
}

function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const known = kept.get(path) ?? readFile(path)
  kept.set(path, known)
  known.catch(() => kept.delete(path))
  return known
}
