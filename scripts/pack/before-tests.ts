import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join, relative } from 'node:path'
import { apps, stageApp } from './app.ts'
import { stageCommandLine } from './command-line.ts'
import { root } from './places.ts'

const packed = join(root, '.svc/cache/packed')

/**
 * Before the tests: svc as it is installed elsewhere and the parts of the service as images have them, in the place that
 * SVC_TEST_PACKED then names. Tests start thousands of these, and each that reads a few files in place of hundreds is there
 * in a third of the time.
 */
export async function setup(): Promise<void> {
  fs.mkdirSync(packed, { recursive: true })
  const staged = fs.mkdtempSync(join(packed, 'new-'))
  try {
    const commandLine = join(staged, 'svc')
    fs.mkdirSync(commandLine)
    await stageCommandLine(commandLine)
    for (const app of apps) await stageApp(app, staged)
    // the same place for the same content, since Node keeps what it has compiled by the place
    const place = join(packed, hashOf(staged))
    if (!fs.existsSync(place)) moveTo(place, staged)
    removeOld(place)
    process.env['SVC_TEST_PACKED'] = place
  } finally {
    fs.rmSync(staged, { recursive: true, force: true })
  }
}

function hashOf(folder: string): string {
  const hash = createHash('sha256')
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) {
    hash.update(relative(folder, path)).update(fs.readFileSync(path))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Tests that began at the same moment may have been quicker, with the same content. */
function moveTo(place: string, staged: string): void {
  try {
    fs.renameSync(staged, place)
  } catch (error) {
    if (!fs.existsSync(place)) throw error
  }
}

const dayMs = 86_400_000

/** Of what the sources were before. Tests that run at this moment may use a newer one. */
function removeOld(place: string): void {
  for (const name of fs.readdirSync(packed)) {
    const folder = join(packed, name)
    const { mtimeMs } = fs.statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity }
    if (folder === place || Date.now() - mtimeMs < dayMs) continue
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
