import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const state = join(root, '.svc')
export const toolchain = join(state, 'toolchain')

export const exists = (path) => path !== undefined && existsSync(path)

/** Path of a program of the machine, if there is one. */
export function onPath(program) {
  const isWindows = process.platform === 'win32'
  const names = isWindows ? [`${program}.exe`, `${program}.cmd`] : [program]
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(exists)
}
