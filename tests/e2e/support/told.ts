import type { Started } from './processes.ts'

/** What it told is the reason when it did not end well. */
export async function expectDone(started: Started): Promise<void> {
  const { code } = await started.ended
  if (code !== 0) throw new Error(`ended with ${code}:\n${started.output()}`)
}

/** What it told of itself on standard error, a line each. */
export function sentences(started: Started): string[] {
  return started
    .output()
    .slice(started.stdout().length)
    .split('\n')
    .filter((line) => line !== '')
}
