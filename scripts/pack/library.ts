import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { version } from '../../packages/contracts/src/version.ts'
import { root } from './places.ts'

type Texts = Record<string, string>

interface Manifest {
  name: string
  version: string
  description: string
  engines: Texts
  exports: Texts
  dependencies: Texts
  peerDependencies?: Texts
  peerDependenciesMeta?: Record<string, object>
}

const packages = join(root, 'packages')

/** A package of ours as JavaScript with its types; what it needs of the contracts is part of it. */
export function stageLibrary(name: 'client' | 'webhooks', folder: string): void {
  const source = join(packages, name)
  const dist = join(folder, 'dist')
  const manifest = readManifest(source)
  const entries = Object.values(manifest.exports).map((entry) => join(source, entry))
  compile(entries, dist, `${folder}.tsconfig.json`)
  for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) nameByPlace(join(dist, file), dist)
  const { description, engines, peerDependencies, peerDependenciesMeta } = manifest
  const packed = {
    name: manifest.name,
    version,
    description,
    license: 'MIT',
    type: 'module',
    engines,
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([key, entry]) => [key, compiled(`${name}/${entry}`)]),
    ),
    dependencies: othersOf(readdirSync(dist)),
    ...(peerDependencies && { peerDependencies, peerDependenciesMeta }),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
}

function readManifest(folder: string): Manifest {
  // whoever installed it has read these fields
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Every module of our packages that the entries lead to, in the same folders below `outDir`. */
function compile(files: readonly string[], outDir: string, configurationFile: string): void {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    typeRoots: [join(root, 'node_modules/@types')],
    rootDir: packages,
    // else they were another's package, of which nothing is compiled
    paths: Object.fromEntries(
      Object.entries(sourcesOfContracts()).map(([name, source]) => [name, [source]]),
    ),
    outDir,
  }
  const base = join(root, 'tsconfig.base.json')
  writeFileSync(configurationFile, JSON.stringify({ extends: base, compilerOptions, files }))
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  const words = [join(dirname(compiler), 'bin/tsc'), '--project', configurationFile]
  execFileSync(process.execPath, words, { stdio: ['ignore', 2, 2] })
}

/** By the names under which the other packages know them. */
function sourcesOfContracts(): Texts {
  const folder = join(packages, 'contracts')
  const { name, exports } = readManifest(folder)
  const sources = Object.entries(exports).map(([key, source]) => [
    join(name, key),
    join(folder, source),
  ])
  return Object.fromEntries(sources)
}

/** Compiled modules name the contracts, and types their neighbours, as the sources do. */
function nameByPlace(file: string, dist: string): void {
  const sources = sourcesOfContracts()
  const placeOf = (name: string) => {
    const source = sources[name]
    return source === undefined
      ? name
      : relative(dirname(file), join(dist, relative(packages, source)))
  }
  const named = /(?<=\b(?:from |import |import\())(['"])(@svc\/[^'"]+|\.{1,2}\/[^'"]+)\1/g
  const text = readFileSync(file, 'utf8').replaceAll(
    named,
    (_whole, _quote, name: string) => `'${placeOf(name).replace(/\.ts$/, '.js')}'`,
  )
  writeFileSync(file, text)
}

function compiled(source: string): { types: string; default: string } {
  const path = `./dist/${join(source).replace(/\.ts$/, '')}`
  return { types: `${path}.d.ts`, default: `${path}.js` }
}

/** What our packages need of others, in the version that they are tested with, or a later one of its kind. */
function othersOf(ours: readonly string[]): Texts {
  const needed = ours.flatMap((name) => {
    const folder = join(packages, name)
    const others = Object.keys(readManifest(folder).dependencies).filter(
      (other) => !other.startsWith('@svc/'),
    )
    return others.map((other) => [other, readManifest(join(folder, 'node_modules', other)).version])
  })
  return Object.fromEntries(needed.map(([name, found]) => [name, `^${found}`]))
}
