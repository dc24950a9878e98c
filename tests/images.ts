import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const Workspace = z.object({ patchedDependencies: z.record(z.string(), z.string()).default({}) })
const Importer = z.object({
  dependencies: z.record(z.string(), z.object({ version: z.string() })).default({}),
  optionalDependencies: z.record(z.string(), z.object({ version: z.string() })).default({}),
})
const Lockfile = z.object({ importers: z.record(z.string(), Importer) })

/** Whether `.dockerignore` leaves a path in the build context: the last of its lines that means it or a folder above decides. */
export function isInBuildContext(path: string, rules = read('.dockerignore')): boolean {
  const parts = posix.normalize(path).split('/')
  const meant = parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
  const lines = rules.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const last = lines.findLast((line) => {
    const pattern = patternOf(line.replace(/^!/, '').trim())
    return meant.some((one) => pattern.test(one))
  })
  return last === undefined || last.startsWith('!')
}

/** `**` is any number of folders; `*` and `?` stay within one name, and mean a name with a leading dot, too. */
function patternOf(line: string): RegExp {
  const kinds: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
  const text = line.replaceAll(/\*\*\/|\*\*|[.*+?^${}()|[\]\\]/g, (one) => kinds[one] ?? `\\${one}`)
  return new RegExp(`^${text}$`)
}

/** Every file of the repository that the image of an app installs from or runs. */
export function filesOfImage(app: string): string[] {
  const { patchedDependencies } = Workspace.parse(parse(read('pnpm-workspace.yaml')))
  return [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...Object.values(patchedDependencies),
    ...filesOfDockerfile(),
    ...foldersOf(`apps/${app}`).flatMap(filesOfPackage),
  ]
}

/** What the Dockerfile copies, and the files that its commands name. */
function filesOfDockerfile(): string[] {
  const text = read('infra/Dockerfile').replaceAll(/^#.*$/gm, '')
  const copied = [...text.matchAll(/^(?:COPY|ADD) (?!--from)(.+) \S+$/gm)].flatMap(
    ([, sources = '']) => sources.split(' '),
  )
  const named = [...text.matchAll(/\.\/([\w./-]+)/g)].map(([, path = '']) => path)
  return [...copied, ...named].filter((path) => path !== '.' && !path.startsWith('-'))
}

/** A package's folder and those of the packages of ours that it runs with, by the lockfile. */
function foldersOf(first: string): string[] {
  const { importers } = Lockfile.parse(parse(read('pnpm-lock.yaml')))
  const folders = new Set([first])
  for (const folder of folders) {
    const { dependencies = {}, optionalDependencies = {} } = importers[folder] ?? {}
    for (const { version } of Object.values({ ...dependencies, ...optionalDependencies })) {
      const [, path] = /^link:(.+)$/.exec(version) ?? []
      if (path !== undefined) folders.add(posix.join(folder, path))
    }
  }
  return [...folders]
}

function filesOfPackage(folder: string): string[] {
  const exclude = (path: string) => /\bnode_modules\b|^apps\/web\/dist\b/.test(path)
  return globSync(`${folder}/**/*.*`, { cwd: root, exclude }).filter(
    (path) => !/\/testing(\/|$)|\.test\.ts$/.test(path),
  )
}
