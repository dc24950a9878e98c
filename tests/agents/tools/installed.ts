import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** What a process of a tool printed, as it came. */
export interface Printed {
  out: string
  err: string
}

/** A folder for the PATH, in which a tool has the name that people call it by. */
export interface Linked {
  folder: string
  /** What each process printed that was started by that name, oldest first; not those that were asked for a version. */
  printed: () => Printed[]
}

/** What is printed is kept next to what reads it, since the log of a run is masked, and put together where it is spoken with. */
export function linkProgram({ tool, program }: Installed, home: string): Linked {
  const [folder, kept] = ['bin', 'printed'].map((name) => join(home, name)) as [string, string]
  for (const path of [folder, kept]) mkdirSync(path, { recursive: true })
  const lines = [
    '#!/usr/bin/env bash',
    `case " $* " in *' --version '*) exec '${program}' "$@" ;; esac`,
    `n=$(( $(ls '${kept}' | wc -l) / 2 + 1 ))`,
    `'${program}' "$@" 2> >(tee '${kept}'/$n.err >&2) | tee '${kept}'/$n.out`,
    'exit "${PIPESTATUS[0]}"',
  ]
  writeFileSync(join(folder, tool.binary), `${lines.join('\n')}\n`, { mode: 0o755 })
  const read = (name: string) => readFileSync(join(kept, name), 'utf8')
  return {
    folder,
    printed: () =>
      globSync('*.out', { cwd: kept })
        .map((name) => Number.parseInt(name, 10))
        .toSorted((one, other) => one - other)
        .map((number) => ({ out: read(`${number}.out`), err: read(`${number}.err`) })),
  }
}
