import { type InputOptions, type OutputOptions, rolldown } from 'rolldown'
import { root } from './places.ts'

type Inputs = Pick<InputOptions, 'input' | 'external'>

/** Joins modules with all that they import into a few files. Answers which modules these are, by their paths. */
export async function bundle(inputs: Inputs, output: OutputOptions): Promise<string[]> {
  await using build = await rolldown({
    ...inputs,
    cwd: root,
    platform: 'node',
    // what is not found would be looked for where it is installed, and is not there
    onLog(_level, { message }) {
      throw new Error(message)
    },
  })
  const written = await build.write({ ...output, format: 'esm', entryFileNames: '[name].js' })
  return written.output.flatMap((part) => (part.type === 'chunk' ? Object.keys(part.modules) : []))
}
