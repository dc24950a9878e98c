import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../packages/contracts/src/version.ts'
import { bundle } from './bundle.ts'
import { licencesOf } from './licences.ts'
import { root } from './places.ts'

const manifest = {
  name: 'svc',
  version,
  description: 'Plan missions, launch coding agents on them, and see what they did.',
  license: 'MIT',
  type: 'module',
  bin: { svc: 'bin/svc.cjs' },
  engines: { node: '>=24' },
  // what the sources name by the same words
  imports: { '#supervisor': './dist/supervisor.js', '#completion/*': './completion/*' },
}

/** Command line, runner and local connector, with all that they need: installing it fetches nothing else. */
export async function stageCommandLine(folder: string): Promise<void> {
  const dist = join(folder, 'dist')
  // A command reads the parts that it uses. A supervisor is one file, which it has read whole when svc is installed anew.
  const command = { main: join(root, 'apps/cli/src/main.ts') }
  const supervisor = { supervisor: join(root, 'apps/runner/src/supervisor/main.ts') }
  const modules = [
    ...(await bundle({ input: command }, { dir: dist, chunkFileNames: '[name]-[hash].js' })),
    ...(await bundle({ input: supervisor }, { dir: dist, codeSplitting: false })),
  ]
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesOf(modules))
  cpSync(join(import.meta.dirname, 'bin'), join(folder, 'bin'), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(root, 'apps/cli/README.md'), join(folder, 'README.md'))
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = `completion/svc.${shell}`
    cpSync(join(root, 'apps/cli/src', script), join(folder, script))
  }
}
