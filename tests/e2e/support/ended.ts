import type { Started } from './processes.ts'

/** Fails with the output of a process that did not end well. */
export async function expectDone(started: Started): Promise<void> {
  const { code } = await started.ended
  if (code !== 0) throw new Error(`ended with ${code}:\n${started.output()}`)
}

/** The lines that it printed to standard error. */
export function sentences(started: Started): string[] {
  return started
    .output()
    .slice(started.stdout().length)
    .split('\n')
    .filter((line) => line !== '')
}
