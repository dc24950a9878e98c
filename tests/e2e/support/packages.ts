import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** What `npm run pack` makes, and a way to install it that fetches nothing. */
export interface Packages extends Disposable {
  /** Path of the one tarball that is called so, with its version left out. */
  tarball: (name: string) => string
  /** Into an empty prefix, or for `folder` alone. Answers where it then lies. */
  install: (tarballs: readonly string[], folder?: string) => string
}

export function packAll(): Packages {
  const base = mkdtempSync(join(tmpdir(), 'svc packages '))
  const tarballs = join(base, 'tarballs')
  execFileSync(process.execPath, [join(root, 'scripts/pack/main.ts'), '--to', tarballs])
  return {
    tarball(name) {
      const found = readdirSync(tarballs).filter((file) => file.replace(/-\d.*$/, '') === name)
      if (found.length !== 1) throw new Error(`${name} is not packed once: ${found.join(', ')}`)
      return join(tarballs, found.join(''))
    },
    install(paths, folder) {
      const prefix = folder ?? mkdtempSync(join(base, 'prefix-'))
      const where = folder === undefined ? ['--global', '--prefix', prefix] : []
      const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', join(base, 'cache')]
      execFileSync('npm', ['install', ...where, ...quiet, ...paths], { cwd: prefix, stdio: 'pipe' })
      return join(prefix, folder === undefined ? 'lib/node_modules' : 'node_modules')
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** The tarball of a package of others, as it is installed here. */
export function packInstalled(name: string, from: string, to: string): string {
  const folder = mkdtempSync(join(to, 'copy-'))
  // pnpm may link two files of a package to one, which ends npm pack without a word
  cpSync(realpathSync(join(root, 'packages', from, 'node_modules', name)), folder, {
    recursive: true,
  })
  const words = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', to]
  const answer = execFileSync('npm', words, { cwd: folder, encoding: 'utf8' })
  // a list with the one package
  const [{ filename }] = JSON.parse(answer) as [{ filename: string }]
  return join(to, filename)
}
