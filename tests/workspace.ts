import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

type Manifest = Partial<
  Record<
    'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies',
    Record<string, string>
  >
> & { name: string }

/** Tests and their helpers, which stand in a folder testing, are no part of what ships. */
export type Source = { path: string; text: string; isTest: boolean }
export type WorkspacePackage = {
  /** Name without the scope. */
  name: string
  /** Folder, relative to the root of the workspace. */
  folder: string
  runtime: string[]
  development: string[]
  sources: Source[]
}

/** Every package of the workspace with the text of its sources; paths are relative to the root. */
export function readWorkspace(): WorkspacePackage[] {
  return globSync('{packages/*,apps/*,tests,tests/bench}/package.json', { cwd: root })
    .toSorted()
    .map(readPackage)
}

function readPackage(manifestPath: string): WorkspacePackage {
  const manifest = JSON.parse(readFileSync(join(root, manifestPath), 'utf8')) as Manifest // pnpm has checked it
  const folder = dirname(manifestPath)
  return {
    name: manifest.name.replace('@svc/', ''),
    folder,
    runtime: Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    }),
    development: Object.keys(manifest.devDependencies ?? {}),
    sources: readSources(folder),
  }
}

function readSources(folder: string): Source[] {
  const inner = folder === 'tests' ? 'tests/bench' : undefined
  const exclude = (path: string) => path.includes('node_modules') || path === inner
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
    isTest: /^tests\b/.test(folder) || /\/testing\/|\.test\.ts$/.test(path),
  }))
}

/** What a source imports, statically, dynamically or through import.meta.resolve. */
export function importsOf(text: string): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\b[^'=;]*?\bfrom '([^']+)'|^import '([^']+)'/gm,
  )
  const calls = text.matchAll(/\bimport(?:\.meta\.resolve)?\(\s*'([^']+)'/g)
  return [...statements, ...calls].map((match) => match[1] ?? match[2] ?? '')
}

/** `@svc/db` of `@svc/db/tables`, `kysely` of `kysely/migration`. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/**
 * Finds the circles in a list of dependencies: all that stand in a circle, or between two. What depends on nothing, or
 * has nothing that depends on it, is dropped.
 */
export function circlesOf(needs: readonly (readonly [string, string])[]): string[] {
  let left = needs.filter(([one, other]) => one !== other)
  for (;;) {
    const needing = new Set(left.map(([one]) => one))
    const needed = new Set(left.map(([, other]) => other))
    const inner = left.filter(([one, other]) => needed.has(one) && needing.has(other))
    if (inner.length === left.length) return [...needing].toSorted()
    left = inner
  }
}
