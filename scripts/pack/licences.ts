import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  name: string
  version: string
  license?: string
}

/** The licence of every package of others that one of the modules is of. Throws where one has none to pass on. */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined))
  const licences = [...folders].map(licenceOf)
  return licences.toSorted().join(`\n${'-'.repeat(80)}\n\n`)
}

/** That of the package below the last `node_modules` in the path. */
function packageFolder(module: string): string | undefined {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
}

function licenceOf(folder: string): string {
  // npm and pnpm install nothing without these fields
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const title = `${manifest.name} ${manifest.version}, ${manifest.license ?? 'see below'}`
  const files = globSync('{LICEN[CS]E,licen[cs]e,Licen[cs]e,NOTICE}*', { cwd: folder }).toSorted()
  if (files.length === 0) throw new Error(`${title}: its package holds no licence to pass on.`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${[title, ...texts].join('\n\n')}\n`
}
