import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tool } from './tool.ts'

/** A tool as npm has put it below `.svc`. */
export interface Installed {
  tool: Tool
  version: string
  program: string
}

const Manifest = z.object({ version: z.string() })

/** Finds the tool among the programs that were got for this script. */
export function findInstalled(tool: Tool, programs: readonly string[]): Installed {
  const inside = '/node_modules/'
  for (const program of programs) {
    const at = program.indexOf(inside) + inside.length
    const path = program.slice(at)
    if (!path.startsWith(tool.installs)) continue
    const name = path.split('/').slice(0, path.startsWith('@') ? 2 : 1)
    const manifest = join(program.slice(0, at), ...name, 'package.json')
    const { version } = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')))
    return { tool, version, program }
  }
  throw new Error(`${tool.package} is not among what was installed: start this by npm run agents`)
}

/** Makes a folder for the PATH, in which the program has the name that people call it by. */
export function linkProgram({ tool, program }: Installed, home: string): string {
  const folder = join(home, 'bin')
  mkdirSync(folder, { recursive: true })
  symlinkSync(program, join(folder, tool.binary))
  return folder
}
