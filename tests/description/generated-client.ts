import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'

const run = promisify(execFile)
const { resolve } = createRequire(import.meta.url)

const compilerOptions = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom'],
  types: [],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

/** A project of an integrator's: types made from the description, and a program written with them. */
export async function generateClient(description: string) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-integrator-'))
  const program = join(folder, 'integrator.ts')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'api.d.ts'), astToString(await openapiTS(description)))
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['integrator.ts'] }),
  )
  await cp(join(import.meta.dirname, 'integrator.txt'), program)
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  return {
    /** What the compiler finds wrong; nothing when all is well. */
    async check(): Promise<string> {
      const compiler = resolve('typescript/bin/tsc')
      const found = run(process.execPath, [compiler, '--project', folder, '--pretty', 'false'])
      return found.then(outputOf, outputOf)
    },
    async run(...args: string[]): Promise<unknown> {
      return JSON.parse(outputOf(await run(process.execPath, [program, ...args])))
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** The standard output of a program, whether it ended well or not. */
function outputOf(ended: { stdout: string }): string {
  return ended.stdout
}
