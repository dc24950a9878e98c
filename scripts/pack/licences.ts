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
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0) texts.push(...licenceInReadme(folder))
  if (texts.length === 0) throw new Error(`${title}: its package holds no licence to pass on.`)
  return `${[title, ...texts].join('\n\n')}\n`
}

/** Some have it at the end of what they say of themselves. */
function licenceInReadme(folder: string): string[] {
  const texts = globSync('{README,Readme,readme}*', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  return texts.flatMap((text) => /^#+ licen[cs]e.*/ims.exec(text)?.[0].trim() ?? [])
}
