import type { Domain } from '../../domain.ts'

/** One row that cannot be swept must not keep the others from it. */
export async function guarded(
  domain: Domain,
  id: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    domain.log.error({ err: error, id }, 'the sweep could not end this; it tries again')
  }
}
