import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '@svc/contracts/version'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandAlias } from './command-alias.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-alias-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Bash takes an alias in a script by this option alone. */
const scripts: readonly [string, (alias: string) => string][] = [
  ['bash', (alias) => `shopt -s expand_aliases\n${alias}\nsvc --version`],
  ['zsh', (alias) => `${alias}\neval 'svc --version'`],
  ['fish', (alias) => `${alias}\nsvc --version`],
]
const runs = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

describe.each(scripts)('the alias in %s', (shell, scriptOf) => {
  test.skipIf(!runs(shell)).each(['plain', 'with a space', `a person's "own" $HOME`])(
    'is a command in any folder, for a service in a folder that is called %s',
    (name) => {
      const [folder, elsewhere] = [ownFolder(), ownFolder()]
      symlinkSync(root, join(folder, name))
      const alias = commandAlias(join(folder, name, 'scripts', 'bootstrap.mjs'))
      const printed = execFileSync(shell, ['-c', scriptOf(alias)], {
        cwd: elsewhere,
        encoding: 'utf8',
      })
      expect(printed).toBe(`${version}\n`)
    },
  )
})
