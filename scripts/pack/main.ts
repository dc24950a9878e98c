/** Makes the packages that are installed elsewhere, or those that are named: `svc`, `@svc/client`, `@svc/webhooks`, one tarball each. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stageCommandLine } from './command-line.ts'
import { stageLibrary } from './library.ts'
import { root } from './places.ts'
import { type Tarball, makeTarball } from './tarball.ts'

const { values, positionals } = parseArgs({
  options: { to: { type: 'string' } },
  allowPositionals: true,
})
const to = resolve(values.to ?? join(root, '.svc/packages'))

const stages = {
  svc: stageCommandLine,
  client: (folder: string) => stageLibrary('client', folder),
  webhooks: (folder: string) => stageLibrary('webhooks', folder),
}

const chosen = Object.entries(stages).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
)
const unknown = positionals.filter((name) => !Object.hasOwn(stages, name))
if (unknown.length > 0) {
  throw new Error(
    `${unknown.join(', ')}: name some of ${Object.keys(stages).join(', ')}, or none for all.`,
  )
}

const staging = mkdtempSync(join(tmpdir(), 'svc-pack-'))
try {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  for (const [name, stage] of chosen) {
    const folder = join(staging, name)
    mkdirSync(folder)
    await stage(folder)
    console.log(describe(makeTarball(folder, to)))
  }
} finally {
  rmSync(staging, { recursive: true, force: true })
}

function describe({ filename, size, unpackedSize, entryCount }: Tarball): string {
  const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KiB`
  const path = relative(process.cwd(), join(to, filename))
  return `${path}  ${kilobytes(size)}, ${entryCount} files of ${kilobytes(unpackedSize)}`
}
