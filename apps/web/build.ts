import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build as bundle } from 'vite'
import config from './vite.config.ts'

/**
 * How well files are compressed: `quick` while somebody waits for the first start of the service, `small` for an image
 * that is built once and loaded often.
 */
type Effort = 'quick' | 'small'

const qualities: Record<Effort, number> = { quick: 7, small: 11 }

/** `node build.ts [folder] [quick]` builds the app into the folder, with a `.br` and a `.gz` next to each file that they make smaller. */
async function buildWeb(folder: string, effort: Effort): Promise<void> {
  // else Vite goes by whatever the process has, and React comes with its checks for developers
  process.env['NODE_ENV'] = 'production'
  await bundle({
    ...config,
    configFile: false,
    build: { ...config.build, outDir: folder, emptyOutDir: true },
  })
  const names = await readdir(folder, { recursive: true })
  await Promise.all(names.map((name) => compress(join(folder, name), effort)))
}

async function compress(path: string, effort: Effort): Promise<void> {
  if ((await stat(path)).isDirectory()) return
  const plain = await readFile(path)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: qualities[effort],
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  if (br.length < plain.length) await writeFile(`${path}.br`, br)
  if (gz.length < plain.length) await writeFile(`${path}.gz`, gz)
}

// where an API process looks for the files when it is told of no other place
const [folder = join(import.meta.dirname, 'dist'), effort] = process.argv.slice(2)
await buildWeb(resolve(folder), effort === 'quick' ? 'quick' : 'small')
