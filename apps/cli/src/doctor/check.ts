import { textOf } from '../output/failure.ts'

/** One thing that was looked at. */
export interface Check {
  what: string
  state: 'ok' | 'warn' | 'fail'
  told: string
  /** The command that repairs it. */
  fix?: string
}

export const ok = (what: string, told: string): Check => ({ what, state: 'ok', told })

export const warn = (what: string, told: string, fix?: string): Check => ({
  what,
  state: 'warn',
  told,
  ...(fix !== undefined && { fix }),
})

export const fail = (what: string, told: string, fix?: string): Check => ({
  ...warn(what, told, fix),
  state: 'fail',
})

/** A look that throws is a check that failed: the others go on. */
export async function looked(
  what: string,
  look: () => Promise<Check | Check[]> | Check | Check[],
): Promise<Check[]> {
  try {
    return [await look()].flat()
  } catch (error) {
    return [fail(what, textOf(error))]
  }
}
