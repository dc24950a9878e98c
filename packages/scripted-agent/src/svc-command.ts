import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export type Reply = Record<string, unknown>

/** One `svc protocol` call by the command on the PATH; its answer. Throws what the command said. */
export async function svcProtocol(...args: string[]): Promise<Reply> {
  const options = { maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await execute('svc', ['protocol', ...args], options).catch(orStillOpen)
  const reply: unknown = JSON.parse(stdout)
  if (typeof reply !== 'object' || reply === null) throw new Error(`svc answered ${stdout}`)
  return { ...reply }
}

/** Exit code 10: what was asked has no answer yet, and the output says so. */
function orStillOpen(error: unknown): { stdout: string } {
  const isOpen = error instanceof Error && 'code' in error && error.code === 10
  if (isOpen && 'stdout' in error) return { stdout: String(error.stdout) }
  throw error
}

/** Exit code 6: the service cannot be reached now, and calling again is safe. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 6
}
