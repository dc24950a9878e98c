import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '@svc/contracts/version'
import { onTestFinished } from 'vitest'
import { builtWebApp } from './built.ts'

/** The web app as another version of it has been built: of other files, that say another number. */
export async function otherVersion(number: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-web-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(await builtWebApp(), folder, { recursive: true })
  const assets = join(folder, 'assets')
  const isPacked = (name: string) => /\.(br|gz)$/.test(name)
  for (const name of readdirSync(folder).filter(isPacked)) rmSync(join(folder, name))
  for (const name of readdirSync(assets).filter(isPacked)) rmSync(join(assets, name))
  const names = readdirSync(assets)
  const inText = new RegExp(
    `(?<![\\w.-])(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`,
    'g',
  )
  const paths = [join(folder, 'index.html'), ...names.map((name) => join(assets, name))]
  for (const path of paths) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(inText, `of-${number}-$1`).replaceAll(version, number))
  }
  for (const name of names) renameSync(join(assets, name), join(assets, `of-${number}-${name}`))
  return folder
}
