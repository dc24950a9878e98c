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
    ...foldersOf(app).flatMap(filesOfPackage),
  ]
}

/** The stages of the Dockerfile by their names, that of the apps as `app`: what each is made from, and its lines. */
export function stagesOfDockerfile(): Map<string, { from: string; text: string }> {
  const text = read('infra/Dockerfile').replaceAll(/^#.*\n/gm, '')
  const stages = text.matchAll(/^FROM (\S+)(?: AS (\S+))?\n((?:(?!FROM ).*\n)*)/gm)
  return new Map(
    Array.from(stages, ([, from = '', name = 'app', lines = '']) => [name, { from, text: lines }]),
  )
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

/** An app's folder and those of the packages of ours that it runs with, by the lockfile. */
function foldersOf(app: string): string[] {
  const { importers } = lockfile()
  const folders = new Set([`apps/${app}`])
  for (const folder of folders) {
    for (const [, { version }] of installedWith(importers[folder])) {
      const [, path] = /^link:(.+)$/.exec(version) ?? []
      if (path !== undefined) folders.add(posix.join(folder, path))
    }
  }
  return [...folders]
}

const lockfile = () => Lockfile.parse(parse(read('pnpm-lock.yaml')))

function installedWith(importer: z.infer<typeof Importer> | undefined) {
  return Object.entries({ ...importer?.dependencies, ...importer?.optionalDependencies })
}

function filesOfPackage(folder: string): string[] {
  const exclude = (path: string) => /\bnode_modules\b|^apps\/web\/dist\b/.test(path)
  return globSync(`${folder}/**/*.*`, { cwd: root, exclude }).filter(
    (path) => !/\/testing(\/|$)|\.test\.ts$/.test(path),
  )
}
