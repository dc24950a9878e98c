import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A program of a browser, with what it needs in its environment; playwright takes it as it stands. */
export interface BrowserProgram {
  executablePath: string
  env?: Record<string, string>
}

const source = import.meta.resolve('@sparticuz/chromium')
/** Unpacks into the temporary folder, where it takes whatever already has the name: so it gets a folder of its own. */
const unpack = `import chromium from '${source}'; await chromium.executablePath()`
const cache = join(import.meta.dirname, '../../../.svc/cache')

/** The Chromium that npm brings, unpacked once; any number of processes may ask at a time. */
export async function unpackChromium(): Promise<BrowserProgram> {
  const place = join(cache, `chromium-${version()}`)
  if (!existsSync(place)) await unpackTo(place)
  return {
    executablePath: join(place, 'chromium'),
    env: { ...inherited(), FONTCONFIG_FILE: join(place, 'fonts.conf') },
  }
}

/** What is under its name is whole: whoever comes second drops his own. */
async function unpackTo(place: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'unpacking-'))
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
      env: { ...process.env, TMPDIR: folder },
    })
    await writeFile(join(folder, 'fonts.conf'), fonts)
    // tests are run by root and by others, in any order
    await Promise.all([folder, join(folder, 'chromium')].map((path) => chmod(path, 0o755)))
    await rename(folder, place)
  } catch (error) {
    if (!existsSync(place)) throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The fonts of the machine, and some letters where it has none. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

function version(): string {
  const manifest = new URL('../package.json', source)
  // a manifest on npm has a version
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
}
