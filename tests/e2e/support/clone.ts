import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Started, startNode } from './processes.ts'

const root = join(import.meta.dirname, '../../..')

/** A copy of this repository with nothing installed in it, and a registry that nothing can be fetched from. */
export interface Clone extends Disposable {
  readonly folder: string
  readonly bootstrap: string
  readonly env: NodeJS.ProcessEnv
  /** A script of package.json, to its end. */
  run: (script: string, ...args: string[]) => Promise<Started>
}

/** On the same disk as the packages that this repository was installed from, so that installing from them copies none. */
export function cloneRepository(): Clone {
  const state = join(root, '.svc')
  const folder = mkdtempSync(join(state, 'clone-'))
  const filter = (path: string) => !['.git', '.svc', 'node_modules'].includes(basename(path))
  for (const name of readdirSync(root)) {
    if (filter(name)) cpSync(join(root, name), join(folder, name), { recursive: true, filter })
  }
  mkdirSync(join(folder, '.svc/toolchain'), { recursive: true })
  for (const path of globSync(['store', 'toolchain/*-*'], { cwd: state })) {
    symlinkSync(join(state, path), join(folder, '.svc', path))
  }
  const bootstrap = join(folder, 'scripts/bootstrap.mjs')
  const env = { HOME: folder, npm_config_registry: 'http://127.0.0.1:9' }
  return {
    folder,
    bootstrap,
    env,
    async run(...words) {
      const started = startNode(bootstrap, words, { cwd: folder, env })
      await started.ended
      return started
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
